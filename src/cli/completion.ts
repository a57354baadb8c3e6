import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What can follow a command: its sub-commands and options. */
interface Place {
  /** Sub-command names from the program on, joined by spaces. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly { readonly flag: string; readonly summary: string }[];
}

function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const commands = command.commands.filter((one) => one.name() !== 'help');
  const visible = command.createHelp().visibleOptions(command);
  return [
    {
      path: path.join(' '),
      commands: commands.map((one) => ({ name: one.name(), summary: one.description() })),
      options: visible.flatMap(({ long, description }) =>
        long ? [{ flag: long, summary: description }] : [],
      ),
    },
    ...commands.flatMap((one) => placesOf(one, [...path, one.name()])),
  ];
}

function wordsOf({ commands, options }: Place): string {
  return [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ');
}

/** Walks the words typed so far down the tree; shared by bash and zsh, whose `case` is the same. Sets `found`. */
function walk(places: readonly Place[], typed: string): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `  local at='' word found=''
  for word in ${typed}; do
    case "\${at:+$at }$word" in
      ${known.join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${places.map((place) => `    '${place.path}') found='${wordsOf(place)}' ;;`).join('\n')}
  esac`;
}

function bash(places: readonly Place[]): string {
  return `# bash completion of pactclaw
_pactclaw() {
${walk(places, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _pactclaw pactclaw`;
}

function zsh(places: readonly Place[]): string {
  return `#compdef pactclaw
_pactclaw() {
${walk(places, `"\${(@)words[2,CURRENT-1]}"`)}
  compadd -- \${=found}
  _files
}
compdef _pactclaw pactclaw`;
}

function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function fish(places: readonly Place[]): string {
  const lines = ['# fish completion of pactclaw', 'complete -c pactclaw -f'];
  for (const { path, commands, options } of places) {
    const parts = path === '' ? [] : path.split(' ');
    const names = commands.map(({ name }) => name).join(' ');
    const seen = parts.map((part) => `__fish_seen_subcommand_from ${part}`);
    const here = [...seen, ...(names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`])].join(
      '; and ',
    );
    const when = here === '' ? '' : ` -n ${quoteFish(here)}`;
    for (const { name, summary } of commands)
      lines.push(`complete -c pactclaw${when} -a ${name} -d ${quoteFish(summary)}`);
    for (const { flag, summary } of options)
      lines.push(`complete -c pactclaw${when} -l ${flag.slice(2)} -d ${quoteFish(summary)}`);
    if (names === '' && parts.length > 0) lines.push(`complete -c pactclaw${when} -F`);
  }
  return lines.join('\n');
}

/** The completion script of a shell, made from the commands themselves. */
export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program);
  if (shell === 'bash') return bash(places);
  return shell === 'zsh' ? zsh(places) : fish(places);
}
