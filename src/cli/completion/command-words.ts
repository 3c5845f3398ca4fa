import type { Command, Option } from 'commander';
import type { Setting } from '../../platform/config/setting.ts';
import { SETTINGS } from '../../platform/config/settings.ts';

/** What a shell can complete after a word. */
export type Values =
  | { readonly words: readonly string[] }
  | { readonly paths: 'files' | 'directories' }
  | null;

/** A shown flag of a command. */
export interface FlagWords {
  /** Without dashes. */
  readonly name: string;
  readonly short: string | null;
  readonly help: string;
  readonly takesValue: boolean;
  readonly values: Values;
}

/** A command as a shell sees it. */
export interface CommandWords {
  /** Names from the program down, without the program's: `['keys', 'create']`. */
  readonly path: readonly string[];
  readonly help: string;
  readonly commands: readonly string[];
  readonly flags: readonly FlagWords[];
  /** Values of its first argument. */
  readonly values: Values;
}

/** A command and all commands below it, parents first, as `--help` shows them. */
export function commandWords(command: Command, path: readonly string[] = []): readonly CommandWords[] {
  const help = command.createHelp();
  const shown = help.visibleCommands(command);
  const [argument] = command.registeredArguments;
  const own: CommandWords = {
    path,
    help: command.description(),
    commands: shown.map((one) => one.name()),
    flags: help.visibleOptions(command).map(flagWords),
    values: argument ? (toWords(argument.argChoices) ?? getPathKind(argument.name())) : null,
  };
  return [own, ...shown.flatMap((one) => commandWords(one, [...path, one.name()]))];
}

function flagWords(option: Option): FlagWords {
  const setting = (SETTINGS as Readonly<Record<string, Setting<unknown>>>)[option.attributeName()];
  const isSetting = setting?.flag === option.name();
  const placeholder = /<(.+)>/.exec(option.flags)?.[1] ?? '';
  return {
    name: option.name(),
    short: option.short?.slice(1) ?? null,
    help: isSetting ? setting.help : option.description,
    takesValue: option.required,
    values:
      toWords(option.argChoices ?? (isSetting ? setting.choices : undefined)) ?? getPathKind(placeholder),
  };
}

const toWords = (words: readonly string[] | undefined): Values => (words ? { words } : null);

function getPathKind(placeholder: string): Values {
  if (placeholder === 'DIR') return { paths: 'directories' };
  return ['FILE', 'PATH', 'SOURCE'].includes(placeholder) ? { paths: 'files' } : null;
}
