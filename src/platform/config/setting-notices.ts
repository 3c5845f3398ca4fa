import type { Environment, Flags } from './resolve-settings.ts';
import { type Setting, toVariable } from './setting.ts';
import { SETTINGS, type SettingName } from './settings.ts';
import type { SettingsFile } from './settings-file.ts';

/**
 * Lines for the user about settings that work and should be changed: former names, and a settings file that lets other
 * users read a password. `names`: the settings of the command.
 */
export function settingNotices(
  names: readonly SettingName[],
  flags: Flags,
  file: SettingsFile | null,
  environment: Environment = process.env,
): string[] {
  const renamed = names.flatMap((name) => {
    const { flag, env, former = [] }: Setting<unknown> = SETTINGS[name];
    return former.flatMap((old) => [
      ...(flags[old] === undefined ? [] : [`--${old} is now --${flag}`]),
      ...(environment[toVariable(old)] ? [`${toVariable(old)} is now ${env}`] : []),
      ...(file?.formerNames.includes(old) ? [`${old} in ${file.path} is now ${flag}`] : []),
    ]);
  });
  const exposed = file?.isExposed
    ? [`${file.path} contains a password or key, and other users may read it: chmod 600`]
    : [];
  return [...renamed, ...exposed];
}
