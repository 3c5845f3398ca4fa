import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MigrationError } from './migration-errors.ts';

/** A migration file as it stands in the checkout. */
export interface MigrationFile {
  /** `base/0001_landing.sql` */
  readonly name: string;
  readonly number: number;
  readonly text: string;
  /** SHA-256 of the text, hex; line ends count as `\n`. */
  readonly checksum: string;
}

const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

function readFile(directory: string, projection: string, file: string): MigrationFile {
  const number = NAME.exec(file)?.[1];
  const name = `${projection}/${file}`;
  if (!number) throw new MigrationError(name, `the name does not match ${NAME}`);
  const text = readFileSync(join(directory, projection, file), 'utf8').replaceAll('\r\n', '\n');
  return { name, number: Number(number), text, checksum: createHash('sha256').update(text).digest('hex') };
}

/** The files of a projection in their order; numbers run from 1 without a gap. Throws `MigrationError`. */
export function readMigrationFiles(directory: string, projection: string): MigrationFile[] {
  // Folders beside the files hold what is no migration, such as repairs.
  const files = readdirSync(join(directory, projection), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
    .map((file) => readFile(directory, projection, file));
  files.forEach((file, i) => {
    if (file.number !== i + 1) {
      throw new MigrationError(
        file.name,
        `expected number ${i + 1}: numbers run without gaps and duplicates`,
      );
    }
  });
  return files;
}
