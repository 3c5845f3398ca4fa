import { type Command, Option } from 'commander';
import type { Setting } from '../platform/config/setting.ts';
import { SETTINGS, type SettingName } from '../platform/config/settings.ts';

/**
 * Adds the flags of the named settings to a command. Defaults are shown and not given to the parser, so that the
 * environment can come between flags and defaults (src/platform/config/resolve-settings.ts).
 */
export function addSettings(command: Command, names: readonly SettingName[]): Command {
  return names.reduce((all, name) => all.addOption(optionOf(name, SETTINGS[name])), command);
}

function optionOf(name: SettingName, setting: Setting<unknown>): Option {
  const flags = setting.value ? `--${setting.flag} <${setting.value}>` : `--${setting.flag}`;
  const fallback = setting.fallback === undefined ? '' : `, default ${setting.fallback}`;
  const option = new Option(flags, `${setting.help} [${setting.env}${fallback}]`);
  option.attributeName = () => name;
  if (setting.repeatable)
    option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  return option;
}
