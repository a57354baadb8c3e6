/** What an agent host does with a file. All but `scratch` give power over agents to whoever writes the file. */
export type Power = 'runs' | 'settings' | 'trust' | 'servers' | 'instructs' | 'scratch';

/** What a path starts from: the project's folder, or the home folder of the user. */
export type Base = 'project' | 'home';

/** Members of a settings file from its top; `*` stands for any name, `$project` for the project's absolute path. */
export type Members = readonly string[];

/** A file, or a folder with everything below it, that a host reads. */
export interface Place {
  /** Relative to each base, with `/`. */
  readonly path: string;
  readonly at: readonly Base[];
  readonly is: Power;
  readonly folder?: true;
  /** Members that the host itself saves for a human while an agent works; a change of them is no tampering. */
  readonly free?: readonly Members[];
  /** Agents run and read what lies there as part of their work: a command may name it. */
  readonly used?: true;
  /** The only members that matter; the rest of the file is the host's bookkeeping. */
  readonly only?: readonly Members[];
}

/** A variable by which a command knows that it runs in a host's shell. A `prefix` holds for all names but `except`. */
export type EnvironmentMark = string | { readonly prefix: string; readonly except: readonly string[] };

/** What the launcher says for a host when PactClaw itself cannot answer. */
export interface LastWords {
  /** The host's refusal as JSON text; `REASON` stands where the reason goes. */
  readonly refusal: string;
  /** Events that decide nothing: there the launcher says nothing, and ends with code 1. */
  readonly quiet: readonly string[];
}

/** A folder or file of the home folder that a variable of the environment puts elsewhere. */
export interface Moved {
  readonly variable: string;
  /** Relative to the home folder. */
  readonly from: string;
  /** Where it stands below what the variable names; that itself when absent. */
  readonly below?: string;
}

/** A host's way to have another program run its agent's commands. */
export interface Seam {
  /** Variable that names the program, which is given the whole line as its one argument. */
  readonly variable: string;
  /** Variable that names the session in the program's environment. */
  readonly session: string;
  /** Variables that lead to the host's own sockets; no command may have them. */
  readonly hidden: readonly string[];
}

/** What the rest of PactClaw must know of a host: pure data, spelled here and nowhere else. */
export interface Footprint {
  /** Name of its adapter. */
  readonly host: string;
  /** Name for people. */
  readonly title: string;
  /** Programs that start its agent. */
  readonly programs: readonly string[];
  readonly marks: readonly EnvironmentMark[];
  /** Names of files and folders that are the host's wherever they stand. */
  readonly names: readonly string[];
  readonly places: readonly Place[];
  /** Folders with an administrator's settings, absolute. */
  readonly system: readonly string[];
  readonly moved?: readonly Moved[];
  /** How the host lets another program run its agent's commands. */
  readonly seam?: Seam;
  readonly lastWords: LastWords;
}

/** Files of one power. */
export function files(
  is: Power,
  at: readonly Base[],
  paths: readonly string[],
  more: Partial<Place> = {},
): Place[] {
  return paths.map((path) => ({ path, at, is, ...more }));
}

/** Folders of one power below a host's folder. */
export function folders(
  is: Power,
  at: readonly Base[],
  below: string,
  names: readonly string[],
  more: Partial<Place> = {},
): Place[] {
  return names.map((name) => ({ path: `${below}/${name}`, at, is, folder: true, ...more }));
}

/** A host's folders of skills: text that a model obeys, and scripts that it runs. */
export function skills(at: readonly Base[], below: string, names: readonly string[] = ['skills']): Place[] {
  return folders('instructs', at, below, names, { used: true });
}

export const BOTH: readonly Base[] = ['project', 'home'];

/** Hosts whose hooks have Claude Code's shape answer with its words. */
export const CLAUDE_WORDS: LastWords = {
  refusal:
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"REASON"}}',
  quiet: ['Stop', 'SessionStart', 'SessionEnd', 'PreCompact', 'SubagentStop'],
};

/** Hosts that load PactClaw as a plugin get the words of the generic contract. */
export const CONTRACT_WORDS: LastWords = {
  refusal: '{"contract":"pactclaw.hook/1","verdict":"deny","reason":"REASON"}',
  quiet: [],
};
