import { isIP } from 'node:net';
import { z } from 'zod';
import { UsageError } from '../errors/error-kinds.ts';

/** One setting: defined once, for the parser, `--help`, shell completion and docs/settings.md. */
export interface Setting<T> {
  /** Flag without dashes, e.g. `epoch-size`. */
  readonly flag: string;
  /** Environment variable, e.g. `TONHOUSE_EPOCH_SIZE`. */
  readonly env: string;
  /** A second variable with a usual name, read if `env` is not set. */
  readonly alias?: string;
  /** Flags of earlier releases, without dashes: they still work, and are not shown. */
  readonly former?: readonly string[];
  /** Placeholder in `--help`; absent for switches. */
  readonly value?: string;
  /** One line for `--help`: 20 words or fewer. */
  readonly help: string;
  /** Sentences that only docs/settings.md shows. */
  readonly details?: string;
  /** True if values contain a password or a key. */
  readonly isSecret?: boolean;
  /** All allowed values, if there are few. */
  readonly choices?: readonly string[];
  /** Allowed values in words: printed with an invalid one. */
  readonly allowed: string;
  /** Default in text form; absent if there is none. */
  readonly fallback?: string;
  /** May be given several times (environment: comma separated). */
  readonly repeatable?: boolean;
  /** Commands select settings by group. */
  readonly group?: SettingGroup;
  readonly parse: z.ZodType<T>;
}

/** Settings that commands use together. */
export type SettingGroup =
  | 'api'
  | 'bulk'
  | 'data'
  | 'decoder'
  | 'genesis'
  | 'index'
  | 'kafka'
  | 'limits'
  | 'live'
  | 'localnet'
  | 'logging'
  | 'metrics'
  | 'projections'
  | 'raw'
  | 'reader'
  | 'rules'
  | 's3'
  | 'serve'
  | 'start'
  | 'store'
  | 'tokens'
  | 'up';

/** A value that could not be used. */
export interface SettingFault {
  readonly found: string;
  /** Values that could be, in words. */
  readonly allowed: string;
  /** Origin of the value: a flag, a variable, a line of the settings file, `default`. */
  readonly origin: string;
}

/** A setting's value could not be used. */
export class SettingError extends UsageError {
  readonly setting: string;
  readonly found: string;
  readonly allowed: string;
  readonly origin: string;
  constructor(setting: string, { found, allowed, origin }: SettingFault, options?: ErrorOptions) {
    const shown = withoutPassword(found);
    super(`${setting} (from ${origin}): found ${JSON.stringify(shown)}, allowed: ${allowed}`, options);
    this.setting = setting;
    this.found = shown;
    this.allowed = allowed;
    this.origin = origin;
  }
}

/** The text without user and password before the host of an address. */
function withoutPassword(text: string): string {
  return text.replace(/(?<=:\/\/)[^/\s]*@/, '…@');
}

type Values = Omit<Setting<never>, 'flag' | 'env' | 'help' | 'parse'>;

/** The type of the result says whether the setting has a default. */
function define<T, const V extends Values>(flag: string, help: string, parse: z.ZodType<T>, values: V) {
  return { flag, env: toVariable(flag), help, parse, ...values };
}

/** The environment variable of a flag. */
export function toVariable(flag: string): string {
  return `TONHOUSE_${flag.toUpperCase().replaceAll('-', '_')}`;
}

/** Inclusive bounds of a whole number. */
interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** A whole number within bounds. */
export function integer(
  flag: string,
  help: string,
  { fallback, ...bounds }: Bounds & { readonly fallback: number },
) {
  return { ...optionalInteger(flag, help, bounds), fallback: `${fallback}` };
}

/** A whole number within bounds; without a default. */
export function optionalInteger(flag: string, help: string, { min, max }: Bounds) {
  const parse = z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number)
    .refine((n) => n >= min && n <= max);
  return define(flag, help, parse, { allowed: `a whole number from ${min} to ${max}`, value: 'N' });
}

/** A whole number within bounds, or `auto` (the default), which depends on the machine. */
export function integerOrAuto(flag: string, help: string, { min, max }: Bounds) {
  const parse = z
    .string()
    .regex(/^(auto|-?\d+)$/)
    .transform((word): number | 'auto' => (word === 'auto' ? word : Number(word)))
    .refine((n) => n === 'auto' || (n >= min && n <= max));
  const allowed = `auto, or a whole number from ${min} to ${max}`;
  return define(flag, help, parse, { allowed, value: 'N', fallback: 'auto' });
}

/** One of a list of words. */
export function choice<const T extends string>(flag: string, help: string, words: readonly T[], fallback: T) {
  const parse = z.string().refine((word): word is T => (words as readonly string[]).includes(word));
  const values = { allowed: words.join(', '), choices: words, value: 'WORD', fallback };
  return define(flag, help, parse as unknown as z.ZodType<T>, values);
}

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** A time with its unit as seconds; null for `never`. */
export function age(flag: string, help: string, fallback: string) {
  const parse = z
    .string()
    .regex(/^(never|\d{1,6}[smhd])$/)
    .transform((text): number | null =>
      text === 'never' ? null : Number(text.slice(0, -1)) * SECONDS[text.at(-1) as keyof typeof SECONDS],
    );
  const allowed = 'never, or a number with a unit: 90d, 12h, 30m, 45s';
  return define(flag, help, parse, { allowed, value: 'AGE', fallback });
}

/** Any text that is not empty. */
export function text(flag: string, help: string, value: string, fallback: string) {
  return { ...optionalText(flag, help, value), fallback };
}

/** Any text that is not empty; without a default. */
export function optionalText(flag: string, help: string, value: string) {
  return define(flag, help, z.string().min(1), { allowed: 'text that is not empty', value });
}

/** Text that matches a pattern. */
export function pattern<const V extends Values & { readonly regex: RegExp }>(
  flag: string,
  help: string,
  values: V,
) {
  return define(flag, help, z.string().regex(values.regex), values);
}

/** Text that may be given several times; none by default. */
export function list(flag: string, help: string, value: string) {
  const parse: z.ZodType<readonly string[]> = z.array(z.string().min(1));
  return define(flag, help, parse, { allowed: 'text that is not empty', value, repeatable: true });
}

/** IP address, or a subnet as address/bits. */
function isSubnet(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  return (
    rest.length === 0 && isIP(address) !== 0 && (bits === undefined || (/^\d+$/.test(bits) && +bits <= most))
  );
}

/** IP addresses and subnets, given several times; none by default. */
export function subnets(flag: string, help: string) {
  const parse: z.ZodType<readonly string[]> = z.array(z.string().refine(isSubnet));
  const allowed = 'an IP address, or a subnet as address/bits';
  return define(flag, help, parse, { allowed, value: 'ADDRESS', repeatable: true });
}

/** `auto`, which is the default, `off` (null), or a whole number within inclusive bounds. */
export function limitOrAuto(flag: string, help: string, { min, max }: Bounds) {
  const parse = z
    .string()
    .regex(/^(auto|off|\d+)$/)
    .transform((word): number | 'auto' | null =>
      word === 'auto' ? word : word === 'off' ? null : Number(word),
    )
    .refine((n) => typeof n !== 'number' || (n >= min && n <= max));
  const allowed = `auto, off, or a whole number from ${min} to ${max}`;
  return define(flag, help, parse, { allowed, value: 'N', fallback: 'auto' });
}

/** A switch: off unless given. */
export function toggle(flag: string, help: string) {
  const parse = z
    .string()
    .refine((word) => ['true', 'false', '1', '0'].includes(word))
    .transform((word) => word === 'true' || word === '1');
  return define(flag, help, parse, { allowed: 'true or false', fallback: 'false' });
}

/** `all`, which is the default, or names with commas between. */
export function namesOrAll(flag: string, help: string) {
  const parse = z
    .string()
    .regex(/^[a-z][a-z0-9-]*(,[a-z][a-z0-9-]*)*$/)
    .transform((text): 'all' | string[] => (text === 'all' ? text : [...new Set(text.split(','))]));
  return define(flag, help, parse, { allowed: 'all, or names with commas', value: 'NAMES', fallback: 'all' });
}

const ORIGIN = /^https?:\/\/[^\s/,*]+$/;

/** `off`, `*`, or the origins of web pages with commas between; off by default. */
export function origins(flag: string, help: string) {
  const parse = z
    .string()
    .refine((text) => text === 'off' || text === '*' || text.split(',').every((one) => ORIGIN.test(one)))
    .transform((text): 'off' | '*' | readonly string[] =>
      text === 'off' || text === '*' ? text : text.toLowerCase().split(','),
    );
  const allowed = 'off, *, or http(s)://host[:port], several with commas';
  return define(flag, help, parse, { allowed, value: 'ORIGINS', fallback: 'off' });
}
