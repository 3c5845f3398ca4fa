import type { Setting } from './setting.ts';

type Noted<S, Note extends keyof Setting<unknown>> = Omit<S, Note> & Required<Pick<Setting<unknown>, Note>>;

/** Adds text that only docs/settings.md shows: full sentences. */
export function withDetails<S extends Pick<Setting<never>, 'flag'>>(
  setting: S,
  details: string,
): Noted<S, 'details'> {
  return { ...setting, details };
}

/** Adds the flags, without dashes, that the setting had in earlier releases. */
export function formerly<S extends Pick<Setting<never>, 'flag'>>(
  setting: S,
  ...former: string[]
): Noted<S, 'former'> {
  return { ...setting, former };
}

/** Marks a setting whose values contain a password or a key. */
export function secret<S extends Pick<Setting<never>, 'flag'>>(setting: S): Noted<S, 'isSecret'> {
  return { ...setting, isSecret: true };
}
