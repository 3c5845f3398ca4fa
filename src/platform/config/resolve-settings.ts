import { type Setting, SettingError, toVariable } from './setting.ts';
import { SETTINGS, type SettingName, type SettingValues } from './settings.ts';
import { readSettingsFile, SettingsFile } from './settings-file.ts';

/** By setting name, as the command line gave them. A former flag has its own key: the flag. */
export type Flags = Readonly<Record<string, unknown>>;
export type Environment = Readonly<Record<string, string | undefined>>;

interface Given {
  readonly raw: unknown;
  readonly origin: string;
}

function given(
  name: SettingName,
  flags: Flags,
  environment: Environment,
  file: SettingsFile | null,
): Given | null {
  const setting: Setting<unknown> = SETTINGS[name];
  const { flag, former = [], repeatable, fallback } = setting;
  const keys = [[name, flag], ...former.map((one) => [one, one])] as const;
  for (const [key, shown] of keys)
    if (flags[key!] !== undefined) return { raw: flags[key!], origin: `--${shown}` };
  for (const variable of [setting.env, setting.alias, ...former.map(toVariable)]) {
    const value = variable && environment[variable];
    if (variable && value) return { raw: repeatable ? value.split(',') : value, origin: variable };
  }
  const inFile = file?.get(name);
  if (inFile) return inFile;
  if (fallback !== undefined) return { raw: fallback, origin: 'default' };
  return repeatable ? { raw: [], origin: 'default' } : null;
}

function parseGiven(setting: Setting<unknown>, found: Given | null): unknown {
  if (!found) return undefined;
  const raw = Array.isArray(found.raw) ? found.raw.map(String) : String(found.raw);
  const parsed = setting.parse.safeParse(raw);
  if (!parsed.success)
    throw new SettingError(`--${setting.flag}`, {
      found: String(raw),
      allowed: setting.allowed,
      origin: found.origin,
    });
  return parsed.data;
}

/**
 * The settings file that `--config` or its variable names; null if there is none. The command line may contain the file
 * itself, which was read before: a pipe can be read only once.
 * @throws SettingError
 */
export function openSettingsFile(flags: Flags, environment: Environment = process.env): SettingsFile | null {
  if (flags.config instanceof SettingsFile) return flags.config;
  const found = given('config', flags, environment, null);
  if (!found) return null;
  return readSettingsFile(String(parseGiven(SETTINGS.config, found)), found.origin);
}

/**
 * Values of the named settings. Flags override the environment, which overrides the settings file, which overrides the
 * defaults. @throws SettingError with the setting's name, what was found and what is allowed
 */
export function resolveSettings<const K extends SettingName>(
  names: readonly K[],
  flags: Flags,
  environment: Environment = process.env,
): SettingValues<K> {
  const file = openSettingsFile(flags, environment);
  const values: Record<string, unknown> = {};
  for (const name of names) values[name] = parseGiven(SETTINGS[name], given(name, flags, environment, file));
  return values as SettingValues<K>;
}
