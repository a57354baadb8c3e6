import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MASK, maskFacts, maskSecrets } from '../../src/core/mask-secrets.ts';
import { effortOf } from '../support/effort.ts';
import { runs } from '../support/runs.ts';

const DIGITS = '0123456789abcdef0123456789ABCDEF01234567';

describe('secrets are taken out', () => {
  test.each([
    ['curl -H "Authorization: Bearer abcdefghijklmnop"', 'abcdefghijklmnop'],
    ['authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    [`sent with bearer ${DIGITS}`, DIGITS],
    ['key AKIAIOSFODNN7EXAMPLE is used', 'AKIAIOSFODNN7EXAMPLE'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalrXUtnFEMI'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----', 'MIIEow'],
    ['-----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNza (cut', 'b3BlbnNza'],
    [`sk-${DIGITS}`, DIGITS],
    ['sk-ant-api03-abcdefghijklmnopqrst', 'abcdefghijklmnopqrst'],
    [`ghp_${DIGITS}`, DIGITS],
    [`github_pat_${DIGITS}`, DIGITS],
    [`glpat-${DIGITS}`, DIGITS],
    ['key ASIAIOSFODNN7EXAMPLE is used', 'ASIAIOSFODNN7EXAMPLE'],
    ['key ACCAIOSFODNN7EXAMPLE is used', 'ACCAIOSFODNN7EXAMPLE'],
    [`rk_live_${DIGITS}`, DIGITS],
    [`npm_${DIGITS.slice(0, 36)}`, DIGITS.slice(0, 36)],
    [`hf_${DIGITS}`, DIGITS],
    [`AIza${DIGITS.slice(0, 35)}`, DIGITS.slice(0, 35)],
    ['xoxb-123456789012-abcdef', 'abcdef'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl', 'c2lnbmF0dXJl'],
    ['password=letmein', 'letmein'],
    ['DB_PASSWORD=letmein make', 'letmein'],
    ['{"password": "correct horse"}', 'correct horse'],
    ["const apiKey = 'abcdef123'", 'abcdef123'],
    ['password: hunter2', 'hunter2'],
    ['GET /?token=abcdef&x=1', 'abcdef'],
    ['mysql --password hunter2', 'hunter2'],
    ['postgres://app:s3cr3t@db:5432/x', 's3cr3t'],
    ['redis://:onlypass@cache', 'onlypass'],
  ])('%s', (text, secret) => {
    const masked = maskSecrets(text);
    expect(masked).not.toContain(secret);
    expect(masked).toContain(MASK);
  });

  test('what stands around a secret stays', () => {
    expect(maskSecrets('a password=letmein; b')).toBe(`a password=${MASK}; b`);
    expect(maskSecrets('see https://me:pw@example.org/a?b=c now')).toBe(
      `see https://me:${MASK}@example.org/a?b=c now`,
    );
  });
});

describe('what is no secret stays as it is', () => {
  test.each([
    'The bearer of bad news, and bearer responsibilities',
    'Bearer authentication is required',
    `sha256 ${'9f86d081884c7d659a2feaa0c55ad015'.repeat(2)}`,
    'commit e6b7f2a72feb1234567890abcdef1234567890ab',
    '123e4567-e89b-12d3-a456-426614174000',
    'sk-learn-pipeline-for-everyone',
    'src/auth/token.ts, src/password/reset-password.tsx',
    'max_tokens: 200000, tokens=12',
    'const token = readToken(file)',
    'if (token === expected) return password == null',
    'password: required',
    'The password: it must never be logged',
    'password=$DB_PASSWORD api_key=<your key> secret=***',
    'token = process.env.GITHUB_TOKEN',
    'PWD=/srv/app npm test',
    'https://example.org:8080/@scope/pkg',
    'git@github.com:org/repo.git',
    '--token-file x --password-stdin',
    '(token) => token',
    '-----BEGIN CERTIFICATE-----',
  ])('%s', (text) => expect(maskSecrets(text)).toBe(text));
});

test('masking twice is masking once', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'password=',
      'token: ',
      '"',
      "'",
      ' ',
      '\n',
      '://',
      'a:',
      '@',
      'Bearer ',
      'sk-',
      '--token ',
    ),
    fc.string(),
    fc.constant(DIGITS),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const once = maskSecrets(pieces.join(''));
      expect(maskSecrets(once)).toBe(once);
    }),
    { numRuns: runs(2000) },
  );
});

test('long hostile text costs little', () => {
  for (const unit of [
    'password=',
    'a',
    '-----BEGIN PRIVATE KEY-----',
    'eyJ.',
    '://',
    'sk-',
    'bearer ',
    '--token ',
  ]) {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    expect(
      effortOf(() => maskSecrets(text)),
      unit,
    ).toBeLessThan(10);
  }
});

test('R-43: every text of a value is masked, names of members too, and what stands under a telling name', () => {
  const token = `ghp_${'a1'.repeat(12)}`;
  const facts = {
    session: 's1',
    count: 3,
    target: `src/${token}/a.ts`,
    nested: {
      [token]: ['x', `see ${token}`],
      password: 'correct horse',
      reason: 'it said password="hunter2 x"',
    },
    none: null,
  };
  expect(maskFacts(facts)).toEqual({
    session: 's1',
    count: 3,
    target: `src/${MASK}/a.ts`,
    nested: { [MASK]: ['x', `see ${MASK}`], password: MASK, reason: `it said password="${MASK}"` },
    none: null,
  });
});
