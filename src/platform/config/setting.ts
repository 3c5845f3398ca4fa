import { z } from 'zod';
import { UsageError } from './usage-error.ts';

/** One setting: said once, read by the parser, by `--help` and by the README's table. */
export interface Setting<T> {
  /** Flag without dashes, e.g. `epoch-size`. */
  readonly flag: string;
  /** Environment variable, e.g. `TONHOUSE_EPOCH_SIZE`. */
  readonly env: string;
  /** A second variable, of a name that is usual elsewhere, read where `env` is not set. */
  readonly alias?: string;
  /** Placeholder in `--help`; absent for switches. */
  readonly value?: string;
  readonly help: string;
  /** What may be given, in words: printed when something else was. */
  readonly allowed: string;
  /** Default in text form; absent where there is none. */
  readonly fallback?: string;
  /** May be given several times (environment: comma separated). */
  readonly repeatable?: boolean;
  readonly parse: z.ZodType<T>;
}

/** A setting's value could not be used. */
export class SettingError extends UsageError {
  override readonly name = 'SettingError';
  readonly setting: string;
  readonly found: string;
  readonly allowed: string;
  readonly origin: string;
  constructor(setting: string, found: string, allowed: string, origin: string, options?: ErrorOptions) {
    super(`${setting} (from ${origin}): found ${JSON.stringify(found)}, allowed: ${allowed}`, options);
    this.setting = setting;
    this.found = found;
    this.allowed = allowed;
    this.origin = origin;
  }
}

type Extra = Partial<Pick<Setting<unknown>, 'value' | 'fallback' | 'repeatable'>>;

function define<T>(
  flag: string,
  help: string,
  allowed: string,
  parse: z.ZodType<T>,
  extra: Extra,
): Setting<T> {
  const env = `TONHOUSE_${flag.toUpperCase().replaceAll('-', '_')}`;
  return { flag, env, help, allowed, parse, ...extra };
}

/** A whole number within inclusive bounds. */
export function integer(flag: string, help: string, min: number, max: number, fallback: number) {
  const parse = z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number)
    .refine((n) => n >= min && n <= max);
  return define(flag, help, `a whole number from ${min} to ${max}`, parse, {
    value: 'N',
    fallback: `${fallback}`,
  });
}

/** A whole number within inclusive bounds, or `auto`, which is the default: what suits the machine. */
export function integerOrAuto(flag: string, help: string, min: number, max: number) {
  const parse = z
    .string()
    .regex(/^(auto|-?\d+)$/)
    .transform((word) => (word === 'auto' ? word : Number(word)))
    .refine((n) => n === 'auto' || (n >= min && n <= max));
  return define<number | 'auto'>(flag, help, `auto, or a whole number from ${min} to ${max}`, parse, {
    value: 'N',
    fallback: 'auto',
  });
}

/** One of a list of words. */
export function choice<const T extends string>(flag: string, help: string, words: readonly T[], fallback: T) {
  const parse = z.string().refine((word): word is T => (words as readonly string[]).includes(word));
  return define<T>(flag, help, words.join(', '), parse as unknown as z.ZodType<T>, {
    value: 'WORD',
    fallback,
  });
}

/** Any text that is not empty. */
export function text(flag: string, help: string, value: string, fallback?: string) {
  const parse = z.string().min(1);
  return define(
    flag,
    help,
    'text that is not empty',
    parse,
    fallback === undefined ? { value } : { value, fallback },
  );
}

/** Text that matches a pattern. */
export function pattern(flag: string, help: string, value: string, regex: RegExp, allowed: string) {
  return define(flag, help, allowed, z.string().regex(regex), { value });
}

/** Text that may be given several times; none by default. */
export function list(flag: string, help: string, value: string) {
  const parse = z.array(z.string().min(1));
  return define(flag, help, 'text that is not empty', parse, { value, repeatable: true });
}

/** A switch: off unless given. */
export function toggle(flag: string, help: string) {
  const parse = z
    .string()
    .refine((word) => ['true', 'false', '1', '0'].includes(word))
    .transform((word) => word === 'true' || word === '1');
  return define(flag, help, 'true or false', parse, { fallback: 'false' });
}

const ORIGIN = /^https?:\/\/[^\s/,*]+$/;

/** `off`, `*`, or the origins of web pages with commas between; off by default. */
export function origins(flag: string, help: string) {
  const parse = z
    .string()
    .refine((text) => text === 'off' || text === '*' || text.split(',').every((one) => ORIGIN.test(one)))
    .transform((text) => (text === 'off' || text === '*' ? text : text.toLowerCase().split(',')));
  return define<'off' | '*' | string[]>(
    flag,
    help,
    'off, *, or http(s)://host[:port], several with commas',
    parse,
    {
      value: 'ORIGINS',
      fallback: 'off',
    },
  );
}
