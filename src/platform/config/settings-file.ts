import { readFileSync, statSync } from 'node:fs';
import { similarName } from '../text/similar-name.ts';
import { type Setting, SettingError, toVariable } from './setting.ts';
import { SETTINGS, type SettingName } from './settings.ts';

/** A value of a settings file. */
export interface FileValue {
  /** A list if the setting is repeatable. */
  readonly raw: string | readonly string[];
  /** File and line, for errors. */
  readonly origin: string;
}

const ENTRIES = Object.entries(SETTINGS as Readonly<Record<SettingName, Setting<unknown>>>) as readonly [
  SettingName,
  Setting<unknown>,
][];
const NAMES: ReadonlyMap<string, SettingName> = new Map(
  ENTRIES.flatMap(([name, { flag, former = [] }]) => [flag, ...former].map((one) => [one, name] as const)),
);

/**
 * Settings of a file: lines `name = value`, where the name is a flag without dashes. `#` begins a comment at the start
 * of a line or after a space. A value in single or double quotes is taken as it is. A repeatable setting has a line for
 * each value. Settings of other commands are allowed.
 */
export class SettingsFile {
  readonly path: string;
  /** Former names that the file uses. */
  readonly formerNames: readonly string[];
  readonly #values: ReadonlyMap<SettingName, FileValue>;
  /** True if users other than the owner may read the file, and it contains a password or a key. */
  readonly isExposed: boolean;

  constructor(
    path: string,
    values: ReadonlyMap<SettingName, FileValue>,
    found: Pick<SettingsFile, 'formerNames' | 'isExposed'>,
  ) {
    this.path = path;
    this.#values = values;
    this.formerNames = found.formerNames;
    this.isExposed = found.isExposed;
  }

  get(name: SettingName): FileValue | null {
    return this.#values.get(name) ?? null;
  }
}

/** Reads a settings file. @throws SettingError with the file, the line, what was found and what is allowed */
export function readSettingsFile(path: string, origin: string): SettingsFile {
  const { text, mode } = readText(path, origin);
  const values = new Map<SettingName, FileValue>();
  const formerNames: string[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const place = `${path}, line ${index + 1}`;
    const parsed = parseLine(line, place);
    if (!parsed) continue;
    const name = settingNamed(parsed.key, place);
    if (SETTINGS[name].flag !== parsed.key) formerNames.push(parsed.key);
    values.set(name, added(values.get(name), SETTINGS[name], { ...parsed, place }));
  }
  const hasSecret = ENTRIES.some(([name, { isSecret }]) => isSecret && values.has(name));
  return new SettingsFile(path, values, { formerNames, isExposed: hasSecret && (mode & 0o044) !== 0 });
}

function readText(path: string, origin: string): { readonly text: string; readonly mode: number } {
  try {
    return { text: readFileSync(path, 'utf8'), mode: statSync(path).mode };
  } catch (cause) {
    throw new SettingError(
      '--config',
      { found: path, allowed: 'a file that can be read', origin },
      { cause },
    );
  }
}

interface Line {
  readonly key: string;
  readonly value: string;
}

const EMPTY = /^\s*(#.*)?$/;
const ASSIGNMENT = /^\s*([^\s=#]+)\s*=\s*(.*?)\s*$/;
const QUOTED = /^(["'])(.*?)\1\s*(?:\s#.*)?$/;

function parseLine(line: string, origin: string): Line | null {
  if (EMPTY.test(line)) return null;
  const [, key, rest] = ASSIGNMENT.exec(line) ?? [];
  // The rest of the line may be a password.
  const start = line.trim().split(/[\s=]/)[0]!;
  if (key === undefined || rest === undefined)
    throw new SettingError(start, { found: start, allowed: 'a line "name = value"', origin });
  if (!/^["']/.test(rest)) return { key, value: rest.replace(/(^|\s+)#.*$/, '') };
  const quoted = QUOTED.exec(rest);
  if (!quoted)
    throw new SettingError(key, {
      found: `${rest[0]} without an end`,
      allowed: 'a value in quotes, with a comment at most after it',
      origin,
    });
  return { key, value: quoted[2]! };
}

/** @throws SettingError if the name is unknown, with a similar name */
function settingNamed(key: string, origin: string): SettingName {
  const name = NAMES.get(key);
  if (name !== undefined && name !== 'config') return name;
  const flags = ENTRIES.map(([, { flag }]) => flag).filter((flag) => flag !== 'config');
  const plain = key.replace(/^--/, '').toLowerCase();
  const meant =
    flags.find((flag) => flag === plain || toVariable(flag) === key) ??
    similarName(plain.replaceAll('_', '-'), flags);
  throw new SettingError(key, {
    found: key,
    allowed: meant ? `a setting's name; did you mean "${meant}"?` : "a setting's name (docs/settings.md)",
    origin,
  });
}

function added(
  before: FileValue | undefined,
  { flag, repeatable }: Setting<unknown>,
  { value, place }: Line & { readonly place: string },
): FileValue {
  if (repeatable) return { raw: [...(before?.raw ?? []), value], origin: before?.origin ?? place };
  if (before)
    throw new SettingError(flag, {
      found: 'the name again',
      allowed: `one line; the first is ${before.origin}`,
      origin: place,
    });
  return { raw: value, origin: place };
}
