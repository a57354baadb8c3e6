import type picocolors from 'picocolors';
import type { Answered } from './agent.ts';

type Colours = ReturnType<typeof picocolors.createColors>;

/** Prints the demonstration: what is said is narration, what is shown is the program's own output. */
export class Stage {
  #scene = 0;

  constructor(
    private readonly colours: Colours,
    private readonly print: (line: string) => void,
  ) {}

  scene(title: string): void {
    this.#scene += 1;
    this.print('');
    this.print(this.colours.bold(`${this.#scene}. ${title}`));
  }

  say(text: string): void {
    this.print(this.colours.dim(`   ${text}`));
  }

  /** A call of the agent and the hook's verdict on it. */
  call(what: string, answer: Answered): void {
    const mark = answer.allowed
      ? this.colours.green('allowed')
      : answer.ended
        ? this.colours.red('halted ')
        : this.colours.yellow('refused');
    this.print(`   ${mark}  ${what}`);
    if (!answer.allowed) this.quote(answer.text);
  }

  /** Output of the program, indented. */
  quote(text: string): void {
    for (const line of text.trimEnd().split('\n')) this.print(this.colours.dim('   │ ') + line);
  }

  command(command: string, output: string): void {
    this.print(`   ${this.colours.cyan(`$ ${command}`)}`);
    this.quote(output);
  }
}
