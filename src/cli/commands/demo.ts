import type { Command } from 'commander';
import { messageOf, PactError } from '../../core/errors.ts';
import { writeAll } from '../../platform/stdio.ts';
import { play } from '../demo/play.ts';
import { makeScratch, pactclaw, removeScratch } from '../demo/scratch.ts';
import { Stage } from '../demo/stage.ts';
import { paint } from '../output.ts';

/** `pactclaw demo`: a governed session from beginning to end, in a scratch repository, with the real engine. */
export function register(program: Command): void {
  program
    .command('demo')
    .description('play a governed session in a scratch repository: no network, no agent needed')
    .option('--keep', 'keep the scratch repository and say where it is')
    .addHelpText('after', '\nExample:\n  $ pactclaw demo --keep')
    .action((options: { keep?: boolean }) => {
      const scratch = makeScratch();
      const stage = new Stage(paint, (line) => writeAll(1, `${line}\n`));
      try {
        const made = pactclaw(scratch, ['init']);
        if (made.code !== 0)
          throw new PactError(
            'INTERNAL',
            `pactclaw init ended with ${made.code}: ${made.stderr.trim()}`,
            'Run `pactclaw init` in a project to see more.',
          );
        play(scratch, stage);
      } catch (error) {
        if (error instanceof PactError) throw error;
        throw new PactError(
          'INTERNAL',
          `the demonstration went wrong: ${messageOf(error)}`,
          'Check that the package was built: npm run build.',
          {},
          { cause: error },
        );
      } finally {
        if (options.keep) writeAll(1, `\nThe scratch repository is kept in ${scratch.folder}\n`);
        else removeScratch(scratch);
      }
    });
}
