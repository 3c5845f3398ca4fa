import { ConflictError } from '../../platform/errors/error-kinds.ts';
import type { ExportPlace, FileFacts } from './export-place.ts';

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

/** The place has an export with other columns, accounts or format. */
export class OtherExportError extends ConflictError {
  constructor(place: string, expected: string, found: string) {
    super(`${place} has another export: expected ${expected}, found ${found}. Name another --out`);
  }
}

/** Names that begin with `_` are no data for Athena, Spark and DuckDB. */
const NAME = '_manifest.json';

/**
 * The manifest of a table, or a new one.
 * @throws OtherExportError, and errors of the place
 */
export async function readManifest(place: ExportPlace, wanted: Omit<Manifest, 'files'>): Promise<Manifest> {
  const text = await place.readText(toPath(wanted));
  if (text === null) return { ...wanted, files: [] };
  const found = JSON.parse(text) as Manifest;
  const describe = ({ table, format, columns, accounts }: Omit<Manifest, 'files'>) =>
    JSON.stringify({ table, format, columns, accounts });
  if (describe(found) !== describe(wanted))
    throw new OtherExportError(`${place.name}: ${wanted.table}`, describe(wanted), describe(found));
  return found;
}

/** Replaces the manifest of a table. */
export async function writeManifest(place: ExportPlace, manifest: Manifest): Promise<void> {
  await place.writeText(toPath(manifest), `${JSON.stringify(manifest, null, 1)}\n`);
}

const toPath = ({ table }: Pick<Manifest, 'table'>) => `${table}/${NAME}`;

/** The manifest with a file in the place of the former file of its path. Files are in the order of their paths. */
export function withFile(manifest: Manifest, file: ExportedFile): Manifest {
  const others = manifest.files.filter(({ path }) => path !== file.path);
  return { ...manifest, files: [...others, file].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}
