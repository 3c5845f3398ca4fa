import type { CommandWords, FlagWords, Values } from './command-words.ts';

/** A script for fish: a line for each command and flag. */
export function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap((command) => [
    ...command.commands.map((name) => subcommandLine(command, name, commands)),
    ...(command.values ? [`${begin(command)} ${valuesText(command.values)}`] : []),
    ...command.flags.map((flag) => flagLine(command, flag)),
  ]);
  return ['# Completion of tonhouse for fish.', 'complete -c tonhouse -f', ...lines, ''].join('\n');
}

function begin({ path }: CommandWords): string {
  if (path.length === 0) return 'complete -c tonhouse -n __fish_use_subcommand';
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  return `complete -c tonhouse -n ${quoted(seen.join('; and '))}`;
}

function subcommandLine(
  { path, commands: all }: CommandWords,
  name: string,
  commands: readonly CommandWords[],
): string {
  const seen = path.map((one) => `__fish_seen_subcommand_from ${one}`);
  const isOpen =
    path.length === 0
      ? '__fish_use_subcommand'
      : [...seen, `not __fish_seen_subcommand_from ${all.join(' ')}`].join('; and ');
  const help = commands.find((one) => one.path.join(' ') === [...path, name].join(' '))?.help ?? '';
  return `complete -c tonhouse -n ${quoted(isOpen)} -a ${name} -d ${quoted(help)}`;
}

function flagLine(command: CommandWords, { name, short, help, takesValue, values }: FlagWords): string {
  const names = short === null ? `-l ${name}` : `-s ${short} -l ${name}`;
  const value = !takesValue ? '' : values ? ` -r ${valuesText(values)}` : ' -x';
  return `${begin(command)} ${names}${value} -d ${quoted(help)}`;
}

function valuesText(values: NonNullable<Values>): string {
  if ('words' in values) return `-f -a ${quoted(values.words.join(' '))}`;
  return values.paths === 'files' ? '-F' : "-f -a '(__fish_complete_directories)'";
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
