/** Runs two contained commands as whoever runs this, and prints what came of them. */
import { ContainedWorkspace } from '../../support/contained.ts';

using place = new ContainedWorkspace([{ id: 'INT-001' }], ['src/secret.ts']);
const agent = place.agent('s1');
await agent.begin('INT-001');
const good = await place.bash(agent, 'mkdir -p src/components && echo new > src/components/a.ts');
place.put('src/components/fix.sh', 'echo leaked > src/secret.ts\n');
const stray = await place.bash(agent, 'sh src/components/fix.sh');
process.stdout.write(
  JSON.stringify({
    inScope: { code: good.code, text: place.text('src/components/a.ts') },
    stray: {
      code: stray.code,
      text: place.text('src/secret.ts'),
      told: stray.stderr.includes('src/secret.ts'),
    },
    status: place.statusOf('INT-001'),
    execution: place.receipts().at(-1)?.execution,
  }),
);
