import path from 'node:path';
import type { Command } from 'commander';
import { messageOf, PactError } from '../../core/errors.ts';
import type { Facts } from '../../core/facts.ts';
import type { Decision } from '../../core/ruling.ts';
import { hookOfRule } from '../../hooks/pipeline.ts';
import type { PreToolRequest } from '../../hooks/requests.ts';
import { readIfThere } from '../../platform/files.ts';
import { readStdin } from '../../platform/stdio.ts';
import { type CommonOptions, example, reporting, usageError } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { parseArgs } from '../named-call.ts';
import { clean, columns, paint, say, sayJson } from '../output.ts';
import { judgeAsked, requestOf } from '../rehearsal.ts';
import { EXIT } from '../run.ts';

interface CheckOptions extends CommonOptions {
  readonly tool: string;
  readonly input: string;
  readonly intent?: string;
  readonly session?: string;
  readonly cwd?: string;
}

const MAX_INPUT = 64 << 20;

async function readInput(input: string): Promise<string> {
  if (input === '-') return (await readStdin(MAX_INPUT)).toString('utf8');
  if (!input.startsWith('@')) return input;
  const bytes = readIfThere(path.resolve(input.slice(1)));
  if (bytes) return bytes.toString('utf8');
  throw usageError(`--input ${input}: there is no such file`);
}

function decodeAsked(options: CheckOptions, text: string): PreToolRequest {
  const sessionId = options.session ?? 'pactclaw-check';
  try {
    return requestOf(options.tool, parseArgs(text), path.resolve(options.cwd ?? process.cwd()), sessionId);
  } catch (error) {
    if (!(error instanceof PactError)) throw error;
    throw usageError(messageOf(error).replace("the host's message cannot be understood: ", '--input: '));
  }
}

function sayDecision({ call, session, targets }: Facts, decision: Decision): void {
  const name = call.tool === call.hostTool ? call.tool : `${call.tool} (${call.hostTool})`;
  say(`${paint.bold(clean(name))}  ${call.kind}${call.mutating ? ', may change something' : ''}`);
  say(
    `as ${session.intentId === null ? `no intent (state ${session.state})` : `Intent ${session.intentId}`}`,
  );
  for (const { asked, role, relative } of targets)
    say(
      `${role.padEnd(5)} ${clean(asked)}${relative === null ? '  (outside the workspace)' : relative === asked ? '' : `  = ${clean(relative || '.')}`}`,
    );
  const rows = decision.rulings.map(({ rule, word, refusal }, at) => [
    String(at + 1),
    word === 'refuse' ? paint.red('REFUSE') : word === 'pass' ? paint.green('pass') : paint.dim('silent'),
    hookOfRule(rule),
    refusal ? clean(refusal.sentence) : '',
  ]);
  say(`\n${columns(rows, '  ')}\n`);
  const { refusal, refusedBy, verdict } = decision;
  if (!refusal) say(`${paint.green('allow')}: no rule refuses it`);
  else {
    say(`${paint.red(verdict)}, by ${hookOfRule(refusedBy ?? '')}`);
    say(clean(refusal.sentence));
    for (const line of refusal.remedy.split('\n')) say(clean(line));
  }
  say(paint.dim('This was a rehearsal: nothing ran and nothing was recorded.'));
}

async function check(options: CheckOptions): Promise<void> {
  const workspace = openWorkspace(options.workspace);
  const request = decodeAsked(options, await readInput(options.input));
  const { facts, decision } = await judgeAsked(workspace, request, options.intent ?? null);
  if (decision.verdict !== 'allow') process.exitCode = EXIT.refused;
  if (!options.json) return sayDecision(facts, decision);
  const { tool, hostTool, kind, mutating } = facts.call;
  sayJson({
    verdict: decision.verdict,
    hook: decision.refusedBy === null ? null : hookOfRule(decision.refusedBy),
    refusal: decision.refusal && {
      kind: decision.refusal.kind,
      sentence: decision.refusal.sentence,
      remedy: decision.refusal.remedy,
    },
    call: { tool, host_tool: hostTool, kind, mutating },
    intent_id: facts.session.intentId,
    state: facts.session.state,
    targets: facts.targets.map(({ asked, role, relative, absolute }) => ({
      asked,
      role,
      relative,
      absolute,
    })),
    rules: decision.rulings.map(({ rule, word, refusal }) => ({
      rule,
      hook: hookOfRule(rule),
      word,
      sentence: refusal?.sentence ?? null,
    })),
  });
}

/** `pactclaw check`: the very function that judges an agent's call, with every rule's word. Exit code 3 = refused. */
export function register(program: Command): void {
  const command = reporting(program.command('check'))
    .description('ask what would be answered to a tool call, and why; runs and records nothing')
    .requiredOption(
      '--tool <name>',
      'canonical name (file_write), alias (write_to_file) or host name (Write)',
    )
    .option('--input <json>', 'arguments: JSON, @file, or - for standard input', '{}')
    .option('--intent <id>', 'as if this intent had been selected')
    .option('--session <id>', 'as this session, with its state and its repeats')
    .option('--cwd <dir>', 'folder that relative paths start from (default: this one)')
    .action(check);
  example(command, `pactclaw check --tool file_write --input '{"path":"src/a.ts"}' --intent INT-001`);
}
