import type { CommittedBlock } from './core-rows.ts';
import type { LakeServer, Row } from './lake-server.ts';

/** How one table is compared with independent facts. */
export interface Check {
  readonly table: string;
  /** Columns that name a row. */
  readonly key: readonly string[];
  /** Rows of the lake that are compared; default all. */
  readonly where?: string;
  /** Column of Unix seconds that `block_time` and `block_date` follow from. Absent: the rows name them, or the table has none. */
  readonly time?: string;
  /** Columns of doubles, which are compared with ten digits. */
  readonly rounded?: readonly string[];
  /** Columns of raw bags of cells. They are compared by the hash of the root, base64. */
  readonly bags?: readonly string[];
  /** Columns of JSON text, which are compared as values. */
  readonly jsons?: readonly string[];
  readonly expected: (server: LakeServer, blocks: readonly CommittedBlock[]) => Promise<readonly Row[]>;
}
