import { extname } from 'node:path';
import { EXPORT_FORMATS } from '../api/export/export-format.ts';
import type { ExportRequest } from '../api/export/export-table.ts';
import { SettingError } from '../platform/config/setting.ts';
import { addressArgument } from './address-argument.ts';

/** Options of `tonhouse export`. */
export interface ExportOptions {
  readonly target:
    | { readonly kind: 'stdout' }
    /** A file of a place. */
    | { readonly kind: 'file'; readonly place: string; readonly name: string }
    /** A folder, or a prefix of a bucket. */
    | { readonly kind: 'folder'; readonly place: string };
  readonly request: Pick<ExportRequest, 'table' | 'choice' | 'format'>;
  readonly isFollowed: boolean;
  readonly isJson: boolean;
}

/** @throws SettingError */
export function readExportOptions(table: string, flags: Readonly<Record<string, unknown>>): ExportOptions {
  const out = String(flags.out);
  const byName = Object.entries(EXPORT_FORMATS).find(
    ([, { extension }]) => extname(out) === `.${extension}`,
  )?.[0];
  const kind = out === '-' ? 'stdout' : byName === undefined ? 'folder' : 'file';
  const name = String(flags.format ?? byName ?? 'parquet');
  const format = Object.hasOwn(EXPORT_FORMATS, name) ? EXPORT_FORMATS[name] : undefined;
  if (!format) throw wrong('--format', name, Object.keys(EXPORT_FORMATS).join(', '));
  if (flags.follow === true && kind !== 'folder')
    throw wrong('--out', out, 'a folder with --follow: each day is a file');
  if (/^(?!s3:)[a-z][a-z0-9]+:\/\//i.test(out))
    throw wrong('--out', out, 'a folder, a file, s3://BUCKET/PREFIX or -');
  const columns =
    flags.columns === undefined
      ? []
      : String(flags.columns)
          .split(',')
          .map((one) => one.trim());
  const accounts = (flags.account as readonly string[]).map((one) => addressArgument(one, '--account'));
  const choice = { columns, accounts, from: date(flags, 'from'), to: date(flags, 'to') };
  return {
    target:
      kind === 'stdout' ? { kind } : kind === 'folder' ? { kind, place: out } : { kind, ...splitPath(out) },
    request: { table, choice, format },
    isFollowed: flags.follow === true,
    isJson: flags.json === true,
  };
}

/** Folder and name of a file. The bucket of an address is no file: it has no slash after it. */
function splitPath(out: string): { readonly place: string; readonly name: string } {
  const at = out.lastIndexOf('/');
  return at < 0 ? { place: '.', name: out } : { place: out.slice(0, at) || '/', name: out.slice(at + 1) };
}

function date(flags: Readonly<Record<string, unknown>>, name: 'from' | 'to'): string | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const found = String(text);
  const time = /^\d{4}-\d{2}-\d{2}$/.test(found) ? Date.parse(`${found}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== found)
    throw wrong(`--${name}`, found, 'a day as YYYY-MM-DD');
  return found;
}

function wrong(option: string, found: string, allowed: string): SettingError {
  return new SettingError(option, { found, allowed, origin: 'the command line' });
}
