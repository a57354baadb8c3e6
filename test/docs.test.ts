import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { REPOSITORY, sourcesUnder } from './support/sources.ts';

const REQUIREMENTS = 'docs/design/requirements.md';
const REVIEW = 'docs/design/review.md';

const read = (file: string): string => readFileSync(path.join(REPOSITORY, file), 'utf8');

/** The Markdown pages of the repository that people read, but for those that explain the IDs. */
function pages(): { file: string; text: string }[] {
  const docs = readdirSync(path.join(REPOSITORY, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.split(path.sep).join('/')}`)
    .filter((file) => file.endsWith('.md') && file !== REQUIREMENTS && file !== REVIEW);
  return [...docs, 'README.md', 'CONTRIBUTING.md'].map((file) => ({ file, text: read(file) }));
}

/** IDs that a text cites; `H-8…H-11` cites the ones between as well. */
function cited(text: string, letters: string): string[] {
  const single = new RegExp(`\\b[${letters}]-[0-9]{1,3}\\b`, 'g');
  const range = new RegExp(`\\b([${letters}])-([0-9]{1,3})…\\1-([0-9]{1,3})\\b`, 'g');
  const between = [...text.matchAll(range)].flatMap(([, letter, from, to]) =>
    Array.from({ length: Number(to) - Number(from) }, (_, i) => `${letter}-${Number(from) + i}`),
  );
  return [...(text.match(single) ?? []), ...between];
}

/** IDs that have a row on a page. */
const explained = (page: string): Set<string> =>
  new Set([...read(page).matchAll(/^\| ([A-Z]-[0-9]{1,3}) \|/gm)].map(([, id]) => id as string));

const everything = () => [...sourcesUnder('src'), ...sourcesUnder('test'), ...pages()];

describe('every ID that code, tests and pages cite is explained', () => {
  test.each([
    [REQUIREMENTS, 'HTRPACQ'],
    [REVIEW, 'FU'],
  ])('on %s', (page, letters) => {
    const known = explained(page);
    const missing = everything().flatMap(({ file, text }) =>
      cited(text, letters)
        .filter((id) => !known.has(id))
        .map((id) => `${file}: ${id}`),
    );
    expect(known.size).toBeGreaterThan(40);
    expect(missing).toEqual([]);
  });

  test('and no comment cites a paper that is not in the repository', () => {
    const papers =
      /\b(?:architecture|spec(?:'s)?|hosts reference|runtime|provenance notes),? §|\bFR-[0-9]{3}\b/;
    const found = everything().filter(({ file, text }) => papers.test(text) && file !== 'test/docs.test.ts');
    expect(found.map(({ file }) => file)).toEqual([]);
  });
});

test('the page of the review names tests that exist and cite the row', () => {
  for (const line of read(REVIEW).split('\n')) {
    const id = /^\| ([FU]-[0-9]{1,2}) \|/.exec(line)?.[1];
    if (id === undefined) continue;
    for (const [, file] of line.matchAll(/`(test\/[^`]+\.ts)`/g)) {
      expect(existsSync(path.join(REPOSITORY, file as string)), `${id}: ${file}`).toBe(true);
      expect(read(file as string), `${id}: ${file}`).toMatch(new RegExp(`\\b${id}\\b`));
    }
  }
});

test('links between pages lead to files that exist', () => {
  for (const { file, text } of [
    ...pages(),
    ...[REQUIREMENTS, REVIEW].map((name) => ({ file: name, text: read(name) })),
  ])
    for (const [, target] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g))
      expect(
        existsSync(path.resolve(REPOSITORY, path.dirname(file), target as string)),
        `${file}: ${target}`,
      ).toBe(true);
});
