import fs from 'node:fs';
import type { BenchContext } from './context.ts';
import { TOPICS } from './topics.ts';

/** Runs one benchmark in this process and leaves its rows in a file: `child.ts NAME {scratch, install, quick, minutes, out}`. */
const [name = '', text = '{}'] = process.argv.slice(2);
const place = JSON.parse(text) as Omit<BenchContext, 'say'> & { out: string };
const topic = TOPICS[name];
if (!topic) throw new Error(`no benchmark is named ${name}`);
const { run } = await topic.load();
const say = (line: string): void => void process.stderr.write(`  … ${name}: ${line}\n`);
const rows = await run({ ...place, say });
fs.writeFileSync(place.out, JSON.stringify(rows));
