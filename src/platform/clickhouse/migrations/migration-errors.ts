import { DataError } from '../../errors/error-kinds.ts';

/** The migration files cannot be applied. */
export class MigrationError extends DataError {
  /** `projection/NNNN_name.sql` */
  readonly file: string;

  constructor(file: string, reason: string, cause?: unknown) {
    super(`migration ${file}: ${reason}`, { cause });
    this.file = file;
  }
}

/** A file that was applied is not what it was: migrations are never edited, the next file changes what they made. */
export class MigrationChangedError extends MigrationError {
  readonly applied: string;
  /** Null if the file is gone. */
  readonly found: string | null;

  constructor(file: string, database: string, applied: string, found: string | null) {
    const now = found ? `has checksum ${found} now` : 'is missing now';
    super(file, `applied to ${database} with checksum ${applied}, ${now}`);
    this.applied = applied;
    this.found = found;
  }
}
