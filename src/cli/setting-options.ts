import { type Command, Option } from 'commander';
import { openSettingsFile } from '../platform/config/resolve-settings.ts';
import type { Setting } from '../platform/config/setting.ts';
import { settingNotices } from '../platform/config/setting-notices.ts';
import { SETTING_THEMES, SETTINGS, type SettingName } from '../platform/config/settings.ts';
import { printable } from '../platform/observability/printable.ts';
import { printNotice } from '../platform/observability/terminal.ts';

const VARIABLES = `
Settings (all options except those under "Options:") can also come from the
environment (TONHOUSE_LOG_LEVEL=debug) or from a file (--config FILE with the line
log-level = debug). Details: docs/settings.md.`;

/**
 * Adds the flags of the named settings to a command, grouped by theme, and `--config`. Defaults are shown and not given
 * to the parser, so that the environment and the settings file can come between flags and defaults
 * (src/platform/config/resolve-settings.ts).
 */
export function addSettings(command: Command, names: readonly SettingName[]): Command {
  const wanted = new Set<SettingName>([...names, 'config']);
  const options = SETTING_THEMES.flatMap(({ title, names: all }) =>
    all.filter((name) => wanted.has(name)).flatMap((name) => buildOptions(name, `${title}:`)),
  );
  return options
    .reduce((all, option) => all.addOption(option), command)
    .addHelpText('after', VARIABLES)
    .hook('preAction', (self, called) => {
      // Hooks of a parent command run too.
      if (self === called) applySettings(called, [...wanted]);
    });
}

/** Reads the settings file once, and prints what the user should change. */
function applySettings(command: Command, names: readonly SettingName[]): void {
  const flags = command.optsWithGlobals();
  const file = openSettingsFile(flags);
  const levels = [command, command.parent].filter((one) =>
    one?.options.some(({ long }) => long === '--config'),
  );
  if (file) levels.map((one) => one?.setOptionValue('config', file));
  const notices = settingNotices(names, flags, file);
  printNotice(notices.map((line) => `${printable(line)}\n`).join(''));
}

/** The option of a setting, then hidden ones for its former flags. */
function buildOptions(name: SettingName, group: string): Option[] {
  const setting: Setting<unknown> = SETTINGS[name];
  const shown = buildOption(setting, setting.flag).helpGroup(group);
  shown.attributeName = () => name;
  const former = (setting.former ?? []).map((flag) => {
    const option = buildOption(setting, flag).helpGroup(group).hideHelp();
    option.attributeName = () => flag;
    return option;
  });
  return [shown, ...former];
}

function buildOption(setting: Setting<unknown>, flag: string): Option {
  const { value, help, fallback, alias, choices, repeatable } = setting;
  const notes = [
    ...(choices ? [choices.join(', ')] : []),
    ...(repeatable ? ['repeatable'] : []),
    ...(value === undefined || fallback === undefined ? [] : [`default ${fallback}`]),
    ...(alias ? [`also ${alias}`] : []),
  ];
  const note = notes.length === 0 ? '' : ` [${notes.join('; ')}]`;
  const option = new Option(value ? `--${flag} <${value}>` : `--${flag}`, `${help}${note}`);
  if (repeatable) option.argParser((one: string, before: string[] | undefined) => [...(before ?? []), one]);
  return option;
}
