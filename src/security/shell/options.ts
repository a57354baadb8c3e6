import { cutText, dropHead, headOf, staticOf, type Text, textOf } from './text.ts';

/** Which options of a command take a value. Everything else that begins with a dash is a plain flag. */
export interface OptionRules {
  /** Short options with a value, attached or in the next word: `'mt'` for `-m MODE -t DIR`. */
  readonly short?: string;
  /** Short options whose value, if any, is attached: `'i'` for `-i.bak`. */
  readonly attached?: string;
  /** Long options with a value (`--name value` or `--name=value`), and single-dash words such as `-exec`. */
  readonly long?: readonly string[];
  /** Options end at the first operand, as for commands that run another one. */
  readonly stopAtOperand?: boolean;
}

export interface Option {
  readonly name: string;
  readonly value: Text | null;
}

export interface Options {
  readonly given: readonly Option[];
  readonly operands: readonly Text[];
  has(...names: readonly string[]): boolean;
  values(...names: readonly string[]): readonly Text[];
}

/** Sorts arguments into options and operands the way GNU getopt does. An unknown option never eats a word. */
export function parseOptions(args: readonly Text[], rules: OptionRules): Options {
  const given: Option[] = [];
  const operands: Text[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    const head = headOf(arg);
    if (staticOf(arg) === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (!head.startsWith('-') || staticOf(arg) === '-') {
      if (rules.stopAtOperand) {
        operands.push(...args.slice(at));
        break;
      }
      operands.push(arg);
      continue;
    }
    const option = head.startsWith('--') ? longOption(arg, rules) : null;
    // `--$X` and `-$X` may be any option, one with a path too.
    if (option !== null) {
      if (option.value === null && staticOf(arg) === null) operands.push(arg);
      const takesNext = option.value === null && isLongWithValue(option.name, rules);
      given.push(takesNext ? { name: option.name, value: args[++at] ?? null } : option);
      continue;
    }
    const cluster = shortOptions(arg, rules);
    given.push(...cluster.options);
    if (staticOf(arg) === null && cluster.options.at(-1)?.value == null) operands.push(arg);
    if (cluster.wantsNext) given.push({ name: cluster.wantsNext, value: args[++at] ?? null });
  }
  return {
    given,
    operands,
    has: (...names) => given.some((option) => names.some((name) => isShortFor(option.name, name))),
    values: (...names) =>
      given.flatMap((option) => (names.includes(option.name) && option.value !== null ? [option.value] : [])),
  };
}

/** GNU takes any unambiguous beginning of a long option for the option. */
function isShortFor(spelled: string, name: string): boolean {
  return spelled === name || (spelled.length > 3 && spelled.startsWith('--') && name.startsWith(spelled));
}

function longOption(arg: Text, rules: OptionRules): Option {
  const cut = cutText(arg, '=');
  const name = fullName(cut?.before ?? headOf(arg), rules);
  return { name, value: cut?.after ?? null };
}

function fullName(name: string, rules: OptionRules): string {
  const long = rules.long ?? [];
  if (long.includes(name) || name.length < 4) return name;
  const candidates = long.filter((known) => known.startsWith(name));
  return candidates.length === 1 ? candidates[0]! : name;
}

function isLongWithValue(name: string, rules: OptionRules): boolean {
  return rules.long?.includes(name) ?? false;
}

function shortOptions(arg: Text, rules: OptionRules): { options: Option[]; wantsNext: string | null } {
  const options: Option[] = [];
  const letters = headOf(arg).slice(1);
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at]!;
    const rest = dropHead(arg, at + 2);
    const hasRest = rest.length > 0;
    if (rules.short?.includes(letter)) {
      if (!hasRest) return { options, wantsNext: `-${letter}` };
      return { options: [...options, { name: `-${letter}`, value: rest }], wantsNext: null };
    }
    if (rules.attached?.includes(letter)) {
      return {
        options: [...options, { name: `-${letter}`, value: hasRest ? rest : textOf() }],
        wantsNext: null,
      };
    }
    options.push({ name: `-${letter}`, value: null });
  }
  return { options, wantsNext: null };
}
