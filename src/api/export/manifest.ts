import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import { type FileFacts, writeFile } from './write-file.ts';

/** A written file of an export. */
export interface ExportedFile extends FileFacts {
  /** From the folder of the table. */
  readonly path: string;
  /** `YYYY-MM-DD`; null: rows without a date, or a table without days. */
  readonly block_date: string | null;
  readonly rows: number;
  /** True if the index had passed the day: no row of it can be added. */
  readonly is_complete: boolean;
  /** Database of each projection that the rows were read from. A replay changes them. */
  readonly databases: Readonly<Record<string, string>>;
}

/** Files of a table's export, and what was asked for. */
export interface Manifest {
  readonly table: string;
  readonly format: string;
  readonly columns: readonly string[];
  readonly accounts: readonly string[];
  readonly files: readonly ExportedFile[];
}

/** The folder has an export with other columns, accounts or format. */
export class OtherExportError extends ConflictError {
  constructor(folder: string, expected: string, found: string) {
    super(`${folder} has another export: expected ${expected}, found ${found}. Name another --out`);
  }
}

/** Names that begin with `_` are no data for Athena, Spark and DuckDB. */
const NAME = '_manifest.json';

/**
 * The manifest of a table's folder, or a new one.
 * @throws OtherExportError
 */
export function readManifest(folder: string, wanted: Omit<Manifest, 'files'>): Manifest {
  const text = readText(join(folder, NAME));
  if (text === null) return { ...wanted, files: [] };
  const found = JSON.parse(text) as Manifest;
  const describe = ({ table, format, columns, accounts }: Omit<Manifest, 'files'>) =>
    JSON.stringify({ table, format, columns, accounts });
  if (describe(found) !== describe(wanted))
    throw new OtherExportError(folder, describe(wanted), describe(found));
  return found;
}

/** Replaces the manifest of a table's folder. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, NAME), Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)]));
}

/** The manifest with a file in the place of the former file of its path. Files are in the order of their paths. */
export function withFile(manifest: Manifest, file: ExportedFile): Manifest {
  const others = manifest.files.filter(({ path }) => path !== file.path);
  return { ...manifest, files: [...others, file].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
