import path from 'node:path';
import { nowIso, wallMs } from '../../platform/clock.ts';
import { isTerminal, openTerminal, type Terminal, terminalSize } from '../../platform/terminal.ts';
import { readEstop } from '../../security/estop.ts';
import { installFolder } from '../context.ts';
import { paint, say, tell } from '../output.ts';
import { Eye } from './eye.ts';
import { toText } from './line.ts';
import type { News, Trip } from './news.ts';
import { desktopSequences, RING } from './notify.ts';
import { OnTrip } from './on-trip.ts';
import { jsonLine, stateLine } from './say-json.ts';
import { describe, lineOf } from './say-news.ts';
import type { Screen } from './screen.ts';
import { view } from './view.ts';

export interface WatchOptions {
  /** Workspace folders, absolute. */
  readonly roots: readonly string[];
  readonly once: boolean;
  readonly json: boolean;
  readonly bell: boolean;
  readonly notify: boolean;
  readonly onTrip: string | null;
}

const EVERY_MS = 500;
/** Width of the view where no terminal says how wide it is. */
const PAGE = 100;

/** Names by which workspaces are told apart: the folder's own, with the one above where two are the same. */
export function namesOf(roots: readonly string[]): string[] {
  return roots.map((root) => {
    const own = path.basename(root);
    const isTwice = roots.some((other) => other !== root && path.basename(other) === own);
    return isTwice ? `${path.basename(path.dirname(root))}/${own}` : own;
  });
}

function estopNews(file: string | null, at: string): News[] {
  const common = { at, workspace: null };
  const change: News = { event: 'estop', ...common, on: file !== null, file };
  if (file === null) return [change];
  const trip: Trip = {
    event: 'trip',
    ...common,
    kind: 'estop',
    receipt_id: null,
    session_id: null,
    host: null,
    intent_id: null,
    tool: null,
    target: null,
    rule: 'emergency-stop',
    message: 'Emergency Stop: all tools are stopped',
    unblock: 'a human runs `pactclaw estop --clear`',
  };
  return [change, trip];
}

/** All that is watched: the workspaces, and the emergency stop, which is one for all of them. */
class Watcher {
  readonly #eyes: readonly Eye[];
  readonly #names: readonly string[];
  #estop = readEstop();
  #notice: string | null = null;

  constructor(roots: readonly string[]) {
    const install = installFolder();
    this.#eyes = roots.map((root) => new Eye(root, install));
    this.#names = namesOf(roots);
  }

  async look(): Promise<News[]> {
    const news: News[] = [];
    const estop = readEstop();
    if ((estop === null) !== (this.#estop === null)) news.push(...estopNews(estop, nowIso()));
    this.#estop = estop;
    for (const eye of this.#eyes) news.push(...(await eye.look(wallMs())));
    return news;
  }

  note(news: News): void {
    if (news.event === 'notice') this.#notice = news.message;
  }

  screen(): Screen {
    const places = this.#eyes.map(({ root, known }, at) => ({ name: this.#names[at] ?? root, root, known }));
    return { nowMs: wallMs(), estop: this.#estop, places, notice: this.#notice };
  }
}

function page(screen: Screen): string {
  const columns = isTerminal() ? terminalSize().columns : Number(process.env.COLUMNS) || PAGE;
  return view(screen, { columns, rows: null })
    .map((line) => toText(line, paint))
    .join('\n');
}

/** Waits for the next look, or for something to happen sooner. */
class Pace {
  #wake: () => void = () => undefined;
  wake = (): void => this.#wake();
  next(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, EVERY_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const QUIT = new Set(['q', 'Q', '\u0003', '\u0004']);

/**
 * Watches until a person or a signal ends it. On a terminal it is a screen; elsewhere, or with `json`, a line for each
 * change. INVARIANT (read only): nothing below here writes to a workspace.
 */
export async function watch(options: WatchOptions): Promise<void> {
  const watcher = new Watcher(options.roots);
  await watcher.look();
  if (options.json) say(stateLine(watcher.screen()));
  if (options.once) {
    if (!options.json) say(page(watcher.screen()));
    return;
  }
  let ended = false;
  const pace = new Pace();
  const end = () => {
    ended = true;
    pace.wake();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, end);
  const key = (pressed: string) => {
    if (QUIT.has(pressed)) end();
  };
  const isScreen = isTerminal() && !options.json;
  const terminal = isScreen ? openTerminal({ redraw: pace.wake, key, gone: end }) : null;
  if (!isScreen && !options.json) say(page(watcher.screen()));
  const emit = (news: News) => {
    watcher.note(news);
    if (options.json) process.stdout.write(`${jsonLine(news)}\n`);
    else if (!isScreen && news.event === 'notice') tell(`pactclaw: ${describe(news)}`);
    else if (!isScreen) process.stdout.write(`${lineOf(news)}\n`);
    if (news.event === 'trip') onTrip?.add(news);
  };
  const onTrip = options.onTrip === null ? null : new OnTrip(options.onTrip, emit, nowIso);
  try {
    while (!ended) {
      if (terminal) draw(terminal, watcher.screen());
      await pace.next();
      const news = await watcher.look();
      for (const one of news) emit(one);
      if (terminal) ring(terminal, news, options);
    }
  } finally {
    terminal?.close();
    await onTrip?.close();
  }
}

function draw(terminal: Terminal, screen: Screen): void {
  terminal.draw(view(screen, terminal.size()).map((line) => toText(line, paint)));
}

/** Rings once for everything that tripped at the same time. */
function ring(terminal: Terminal, news: readonly News[], { bell, notify }: WatchOptions): void {
  const trips = news.filter((one) => one.event === 'trip');
  if (trips.length === 0) return;
  if (bell) terminal.send(RING);
  if (notify) for (const sequence of desktopSequences(trips, process.env)) terminal.send(sequence);
}
