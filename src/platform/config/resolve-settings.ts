import { type Setting, SettingError } from './setting.ts';
import { SETTINGS, type SettingName, type SettingValue } from './settings.ts';

type Flags = Readonly<Record<string, unknown>>;
export type Environment = Readonly<Record<string, string | undefined>>;

function given(setting: Setting<unknown>, flag: unknown, environment: Environment) {
  if (flag !== undefined) return { raw: flag, origin: `--${setting.flag}` };
  for (const name of [setting.env, setting.alias]) {
    const value = name && environment[name];
    if (name && value) return { raw: setting.repeatable ? value.split(',') : value, origin: name };
  }
  if (setting.fallback !== undefined) return { raw: setting.fallback, origin: 'default' };
  return setting.repeatable ? { raw: [], origin: 'default' } : null;
}

function resolveOne(setting: Setting<unknown>, flag: unknown, environment: Environment): unknown {
  const found = given(setting, flag, environment);
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
 * Values of the named settings: flags (by setting name, as the command line gave them) over the environment over
 * defaults. Throws `SettingError` with the setting's name, what was found and what is allowed.
 */
export function resolveSettings<const K extends SettingName>(
  names: readonly K[],
  flags: Flags,
  environment: Environment = process.env,
): { readonly [P in K]: SettingValue<P> | Missing<P> } {
  const values: Record<string, unknown> = {};
  for (const name of names) values[name] = resolveOne(SETTINGS[name], flags[name], environment);
  return values as { readonly [P in K]: SettingValue<P> | Missing<P> };
}

/** `undefined` for the settings that have no default. */
type NoDefault =
  | 'source'
  | 'network'
  | 'clickhouseUrl'
  | 'clickhousePassword'
  | 'clickhouseCluster'
  | 'kafka'
  | 'kafkaCa'
  | 'kafkaCert'
  | 'kafkaKey'
  | 'kafkaUser'
  | 'kafkaPassword'
  | 'rateLimitRedis'
  | 'imageProxy';
type Missing<K extends SettingName> = K extends NoDefault ? undefined : never;
