import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../../platform/files/folders.ts';
import { ensurePrivateDirectory } from '../../platform/files/private-directory.ts';
import { LogDirectoryError } from './errors.ts';
import { type FileSchema, SqliteFile } from './sqlite-file.ts';

/**
 * `log.sqlite`: everything except the raw data. `lanes.next` is the published end of a lane. `runs` maps offsets to
 * segments (a run is a contiguous offset range of one lane within one epoch). `small` has the records of topics written
 * by `put`, which have no segments. `group_lanes` has a row for each lane of a group, or for each partition of a group
 * in `partitioned_groups`. `sessions` has how long the leases of an owner last. A sealed segment moves from
 * `segments` to `sealed` with its id and the ranges of its positions (JSON), and its runs stay: an epoch that gets records later has another segment. The first
 * sealing raises the version of the file to 2, because programs that know 1 would not find these runs. `joined` has the
 * sealed files of other logs whose number or offsets are others here; the first raises the version to 3.
 */
const LOG_SCHEMA: FileSchema = {
  version: 1,
  newest: 3,
  create: `
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE topics (
      topic TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('steps', 'records')), lanes INTEGER NOT NULL,
      tail_position INTEGER, tail_segment INTEGER, tail_offset INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE lanes (
      topic TEXT, lane INTEGER, next INTEGER NOT NULL, PRIMARY KEY (topic, lane)
    ) WITHOUT ROWID;
    CREATE TABLE segments (
      id INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, epoch INTEGER NOT NULL, lane INTEGER NOT NULL,
      UNIQUE (topic, epoch)
    );
    CREATE TABLE runs (
      topic TEXT, lane INTEGER, first INTEGER, next INTEGER NOT NULL, segment INTEGER NOT NULL,
      PRIMARY KEY (topic, lane, first)
    ) WITHOUT ROWID;
    CREATE INDEX runs_by_segment ON runs (segment);
    CREATE TABLE small (
      topic TEXT, offset INTEGER, appended_at INTEGER NOT NULL, key TEXT NOT NULL, headers TEXT NOT NULL,
      value BLOB NOT NULL, PRIMARY KEY (topic, offset)
    );
    CREATE TABLE writers (
      topic TEXT PRIMARY KEY, generation INTEGER NOT NULL, owner TEXT, expires_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE members (
      topic TEXT, grp TEXT, owner TEXT, expires_at INTEGER NOT NULL, PRIMARY KEY (topic, grp, owner)
    ) WITHOUT ROWID;
    CREATE TABLE group_lanes (
      topic TEXT, grp TEXT, lane INTEGER, committed INTEGER NOT NULL, generation INTEGER NOT NULL, owner TEXT,
      expires_at INTEGER NOT NULL, revoked INTEGER NOT NULL, PRIMARY KEY (topic, grp, lane)
    ) WITHOUT ROWID;
    CREATE TABLE journal (
      topic TEXT, grp TEXT, lane INTEGER, epoch INTEGER NOT NULL, first INTEGER NOT NULL, next INTEGER NOT NULL,
      first_position INTEGER NOT NULL, last_position INTEGER NOT NULL, attempt INTEGER NOT NULL,
      expected TEXT NOT NULL, PRIMARY KEY (topic, grp, lane)
    ) WITHOUT ROWID;
  `,
  later: `
    CREATE TABLE IF NOT EXISTS partitioned_groups (
      topic TEXT, grp TEXT, partitions INTEGER NOT NULL, PRIMARY KEY (topic, grp)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS sessions (owner TEXT PRIMARY KEY, ms INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS sealed (
      id INTEGER PRIMARY KEY, topic TEXT NOT NULL, epoch INTEGER NOT NULL, lane INTEGER NOT NULL,
      first_position INTEGER NOT NULL, last_position INTEGER NOT NULL, positions TEXT NOT NULL, records INTEGER NOT NULL, bytes INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS joined (id INTEGER PRIMARY KEY, origin INTEGER NOT NULL, shift INTEGER NOT NULL);
  `,
};

/** Creates missing directories and opens the log's main file. */
export function openLogFile(directory: string): SqliteFile {
  try {
    for (const one of [directory, join(directory, 'segments')]) {
      makeFolders(one);
      ensurePrivateDirectory(one);
    }
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new LogDirectoryError(directory, code);
  }
  return SqliteFile.open(join(directory, 'log.sqlite'), LOG_SCHEMA, true);
}
