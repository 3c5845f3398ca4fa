import type { Setting, SettingGroup } from './setting.ts';
import { ACCESS, ANSWERS, STREAMS, TOKENS } from './settings/api.ts';
import { COMMON } from './settings/common.ts';
import { INDEXING, LOCAL_CHAIN, NEW_LOG } from './settings/indexing.ts';
import { LIVE_NETWORK } from './settings/live.ts';
import { OBJECT_STORE } from './settings/object-store.ts';
import { CLICKHOUSE, KAFKA, OBSERVABILITY } from './settings/servers.ts';

/**
 * Every setting of tonhouse. Commands select the ones they use. A flag overrides the environment, which overrides the
 * settings file, which overrides the default. Tables of docs/settings.md are generated from this file
 * (scripts/generate-settings-table.ts).
 */
export const SETTINGS = {
  ...COMMON,
  ...NEW_LOG,
  ...LIVE_NETWORK,
  ...LOCAL_CHAIN,
  ...INDEXING,
  ...ANSWERS,
  ...ACCESS,
  ...STREAMS,
  ...TOKENS,
  ...KAFKA,
  ...CLICKHOUSE,
  ...OBJECT_STORE,
  ...OBSERVABILITY,
} as const;

type Settings = typeof SETTINGS;
export type SettingName = keyof Settings;

/** Type of a setting's value. */
export type SettingValue<K extends SettingName> =
  Settings[K] extends Pick<Setting<infer T>, 'parse'> ? T : never;

/** Settings that have a value if none is given. */
type Defaulted<K extends SettingName> = K extends unknown
  ? Settings[K] extends { readonly fallback: string } | { readonly repeatable: true }
    ? K
    : never
  : never;

/** Values of settings by name; settings without a default may be absent. */
export type SettingValues<K extends SettingName> = {
  readonly [P in Defaulted<K>]: SettingValue<P>;
} & { readonly [P in Exclude<K, Defaulted<K>>]?: SettingValue<P> | undefined };

type NameIn<G extends SettingGroup> = {
  [K in SettingName]: Settings[K] extends { readonly group: G } ? K : never;
}[SettingName];

/** Values of the settings of some groups. */
export type SettingsIn<G extends SettingGroup> = SettingValues<NameIn<G>>;

/** Names of the settings in some groups. */
export function namesIn<const G extends SettingGroup>(...groups: readonly G[]): readonly NameIn<G>[] {
  const settings = Object.entries<{ readonly flag: string; readonly group?: string }>(SETTINGS);
  return settings
    .filter(([, { group }]) => (groups as readonly unknown[]).includes(group))
    .map(([name]) => name as NameIn<G>);
}

/** Settings by theme, in the order of `--help` and docs/settings.md. */
export const SETTING_THEMES: readonly {
  readonly title: string;
  readonly names: readonly SettingName[];
}[] = [
  theme('Common', COMMON),
  theme('New log', NEW_LOG),
  theme('Live network', LIVE_NETWORK),
  theme('Local chain', LOCAL_CHAIN),
  theme('Indexing', INDEXING),
  theme('Answers of the API', ANSWERS),
  theme('Access and limits of the API', ACCESS),
  theme('Streams and webhooks', STREAMS),
  theme('Token content', TOKENS),
  theme('Kafka', KAFKA),
  theme('ClickHouse', CLICKHOUSE),
  theme('Object storage (S3)', OBJECT_STORE),
  theme('Logs and metrics', OBSERVABILITY),
];

function theme(title: string, settings: { readonly [K in SettingName]?: unknown }) {
  return { title, names: Object.keys(settings) as SettingName[] };
}
