import type { Setting, SettingGroup } from './setting.ts';

type Flagged = Pick<Setting<never>, 'flag'>;

/** Adds text that only docs/settings.md shows: full sentences. */
export function withDetails<S extends Flagged>(setting: S, details: string) {
  return { ...setting, details };
}

/** Adds the flags, without dashes, that the setting had in earlier releases. */
export function formerly<S extends Flagged>(setting: S, ...former: string[]) {
  return { ...setting, former };
}

/** Marks a setting whose values contain a password or a key. */
export function secret<S extends Flagged>(setting: S) {
  return { ...setting, isSecret: true };
}

/** Puts settings into a group. */
export function inGroup<const G extends SettingGroup, S extends Readonly<Record<string, Flagged>>>(
  group: G,
  settings: S,
): { readonly [K in keyof S]: S[K] & { readonly group: G } } {
  const grouped = Object.entries(settings).map(([name, setting]) => [name, { ...setting, group }]);
  return Object.fromEntries(grouped) as { readonly [K in keyof S]: S[K] & { readonly group: G } };
}
