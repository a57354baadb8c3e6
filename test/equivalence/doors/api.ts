import { createGovernor, type Governor, RefusedError, type ToolOptions } from '../../../src/cli/api.ts';
import type { Ask } from '../corpus.ts';
import type { Answer, Door, Ground } from '../ground.ts';

type Args = Readonly<Record<string, string>>;

/** The tool that an integrator would wrap for what is asked, and its arguments. */
function toolFor(ask: Ask): {
  readonly name: string;
  readonly args: Args;
  readonly options: ToolOptions<Args>;
} {
  switch (ask.does) {
    case 'shell':
      return {
        name: 'shell',
        args: { command: ask.command },
        options: { kind: 'execute', command: ({ command = '' }) => command },
      };
    case 'undeclared':
      return { name: 'odd_tool', args: { file_path: ask.file }, options: {} };
    case 'fetch':
      return { name: 'fetch', args: { url: ask.url }, options: { kind: 'network' } };
    case 'handshake':
      throw new Error('the handshake has a tool of its own');
    default: {
      const role = ask.does === 'edit' ? 'write' : ask.does;
      return {
        name: ask.does,
        args: { path: ask.file },
        options: { kind: role, targets: ({ path = '' }) => [{ path, role }] },
      };
    }
  }
}

async function outcomeOf(run: () => Promise<unknown>): Promise<Answer> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if (error.when === 'before') return { verdict: error.verdict, rule: error.rule };
  }
  return { verdict: 'allow', rule: null };
}

/** `createGovernor` of the package: an engine and a store of its own, as in the process of an integrator's agent. */
export function apiDoor(ground: Ground): Door {
  const name = 'TypeScript API';
  let governor: Governor;
  let ran = 0;
  const counted = () => {
    ran += 1;
  };
  return {
    name,
    async enter() {
      governor = createGovernor({ workspace: ground.root });
      // The first event begins the session; where it stands is put after that.
      await governor.userPrompt().catch(() => undefined);
    },
    async answer(ask, at) {
      ground.put(governor.sessionId, at);
      if (ask.does === 'handshake')
        return outcomeOf(() => governor.handshakeTool.execute({ intent_id: ask.intentId }));
      const { name: tool, args, options } = toolFor(ask);
      const before = ran;
      const run = governor.tool(tool, counted, options);
      const answer = await outcomeOf(() => run(args));
      const isTrue = ran > before === (answer.verdict === 'allow');
      return isTrue
        ? answer
        : { verdict: `${answer.verdict}, though it ran ${ran - before} times`, rule: answer.rule };
    },
  };
}
