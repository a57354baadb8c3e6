import { writeAll } from './stdio.ts';
import { after } from './timers.ts';

/** What happens at a terminal. */
export interface TerminalEvents {
  /** Size in columns and rows has changed, or the screen must be drawn again. */
  readonly redraw: () => void;
  readonly key: (key: string) => void;
  /** Nobody is there any more. */
  readonly gone: () => void;
}

/** A terminal that shows a screen of ours in place of the shell's lines. */
export interface Terminal {
  size(): { readonly columns: number; readonly rows: number };
  /** Shows these lines, which must fit; writes only those that are other than before. */
  draw(lines: readonly string[]): void;
  /** Writes control sequences as they are. */
  send(sequence: string): void;
  /** Brings the shell's lines back. Done at the process's end in any case. */
  close(): void;
}

const ESC = '\u001b';
// Alternate screen, no cursor, no wrapping of what is too wide after all.
const ENTER = `${ESC}[?1049h${ESC}[?25l${ESC}[?7l${ESC}[2J`;
const LEAVE = `${ESC}[0m${ESC}[?7h${ESC}[?25h${ESC}[?1049l`;
const CTRL_L = '\u000c';
const CTRL_Z = '\u001a';
/** A process that was stopped does not get so far. */
const STOPPED_MS = 200;

/** Whether standard output is a terminal that can place text. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true && process.env.TERM !== 'dumb';
}

/** The terminal's size; 80 × 24 where it does not say. */
export function terminalSize(): { columns: number; rows: number } {
  const { columns, rows } = process.stdout;
  return { columns: columns || 80, rows: rows || 24 };
}

function setRaw(isRaw: boolean): void {
  if (process.stdin.isTTY) process.stdin.setRawMode(isRaw);
}

/** Takes the terminal over. Keys come one by one and are not shown; the interrupt key is one of them. */
export function openTerminal(events: TerminalEvents): Terminal {
  let shown: readonly string[] | null = null;
  let isOpen = false;
  let isClosed = false;
  const enter = () => {
    isOpen = true;
    shown = null;
    setRaw(true);
    writeAll(1, ENTER);
  };
  const leave = () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      writeAll(1, LEAVE);
      setRaw(false);
    } catch {
      // The terminal has gone away; there is nothing to restore.
    }
  };
  const redraw = () => {
    shown = null;
    events.redraw();
  };
  const resume = () => {
    // Another process has had the terminal meanwhile, and may have changed its mode.
    leave();
    enter();
    redraw();
  };
  const suspend = () => {
    leave();
    process.kill(0, 'SIGTSTP');
    // Where no shell could continue us the signal does nothing, and we go on by ourselves.
    after(STOPPED_MS, () => {
      if (!isOpen && !isClosed) resume();
    });
  };
  const input = (chunk: Buffer) => {
    const text = chunk.toString('latin1');
    if (text.startsWith(ESC)) return;
    for (const key of text) {
      if (key === CTRL_Z) suspend();
      else if (key === CTRL_L) redraw();
      else events.key(key);
    }
  };
  enter();
  if (process.stdin.isTTY)
    process.stdin.on('data', input).once('end', events.gone).once('error', events.gone).resume();
  process.stdout.on('resize', redraw);
  process.on('SIGCONT', resume);
  process.on('exit', leave);
  return {
    size: terminalSize,
    send: (sequence) => {
      process.stdout.write(sequence);
    },
    draw: (lines) => {
      // A terminal that takes nothing just now misses this picture, not the next.
      if (!isOpen || process.stdout.writableNeedDrain) return;
      const before = shown;
      let text = before === null ? `${ESC}[2J` : '';
      for (let at = 0; at < Math.max(lines.length, before?.length ?? 0); at += 1)
        if (before?.[at] !== lines[at]) text += `${ESC}[${at + 1};1H${ESC}[2K${lines[at] ?? ''}`;
      shown = [...lines];
      if (text !== '') process.stdout.write(text);
    },
    close: () => {
      isClosed = true;
      leave();
      process.stdin.off('data', input).pause();
      process.stdout.off('resize', redraw);
      process.off('SIGCONT', resume);
      process.off('exit', leave);
    },
  };
}
