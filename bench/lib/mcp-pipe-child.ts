import { spawn } from 'node:child_process';

/** Stands in front of a program and passes bytes, nothing else: what any process in the middle costs. */
const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
