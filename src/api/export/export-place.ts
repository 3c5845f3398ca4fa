import type { ExportStatement } from './export-statement.ts';

/** Facts by which a written file is recognised. */
export interface FileFacts {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Tag of the content in an object store; absent for files of a folder. */
  readonly etag?: string;
}

/** A file that was written. */
export interface WrittenFile extends FileFacts {
  readonly rows: number;
}

/** The rows of a file and the format of ClickHouse that they are written in. */
export interface FileRows extends ExportStatement {
  readonly format: string;
  readonly signal: AbortSignal;
}

/** Where an export goes: a folder, or a prefix of a bucket. Paths are relative to it, with slashes. */
export interface ExportPlace {
  /** Name for people, without credentials. */
  readonly name: string;
  /** Text of a small file; null if there is none. */
  readText(path: string): Promise<string | null>;
  /** Replaces a small file. */
  writeText(path: string, text: string): Promise<void>;
  /** True if the file is there with the content that the facts describe. */
  hasFile(path: string, facts: FileFacts): Promise<boolean>;
  /** Writes rows to a file, which appears when it is complete. A file of that name is replaced. */
  write(path: string, rows: FileRows): Promise<WrittenFile>;
}
