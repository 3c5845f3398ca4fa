import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FencedError, LeaseHeldError } from '../../../../src/log/errors.ts';
import { openEmbeddedBus } from '../../../../src/log/sqlite/embedded-bus.ts';

/** `log.sqlite` as the first version made it, with a batch under way in lane 1 and a living writer. */
const FIRST_VERSION = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE topics (
    topic TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('steps', 'records')), lanes INTEGER NOT NULL,
    tail_position INTEGER, tail_segment INTEGER, tail_offset INTEGER
  ) WITHOUT ROWID;
  CREATE TABLE lanes (topic TEXT, lane INTEGER, next INTEGER NOT NULL, PRIMARY KEY (topic, lane)) WITHOUT ROWID;
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
  INSERT INTO meta VALUES ('identity', '{"network":"test","id":"a:b","epochSize":10,"lanes":2,"facts":{}}');
  INSERT INTO topics VALUES ('raw-blocks', 'steps', 2, 15, 2, 5);
  INSERT INTO lanes VALUES ('raw-blocks', 0, 10), ('raw-blocks', 1, 6);
  INSERT INTO segments VALUES (1, 'raw-blocks', 0, 0), (2, 'raw-blocks', 1, 1);
  INSERT INTO runs VALUES ('raw-blocks', 0, 0, 10, 1), ('raw-blocks', 1, 0, 6, 2);
  INSERT INTO writers VALUES ('raw-blocks', 7, 'capture', 9000000000000);
  INSERT INTO members VALUES ('raw-blocks', 'decode', 'dead', 1000);
  INSERT INTO group_lanes VALUES
    ('raw-blocks', 'decode', 0, 10, 3, NULL, 0, 0), ('raw-blocks', 'decode', 1, 2, 4, 'dead', 1000, 0);
  INSERT INTO journal VALUES ('raw-blocks', 'decode', 1, 1, 2, 6, 12, 15, 1, '{"blocks":4}');
  PRAGMA application_id=${0x746f6e68};
  PRAGMA user_version=1;`;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-old-log-'));
  mkdirSync(join(directory, 'segments'));
  const file = new DatabaseSync(join(directory, 'log.sqlite'));
  file.exec(FIRST_VERSION);
  file.close();
});
afterEach(() => rmSync(directory, { recursive: true }));

it('continues with the leases, the offsets and the journal of a directory of the first version', async () => {
  const bus = await openEmbeddedBus({ directory });
  const entry = { lane: 1, epoch: 1, from: 2, next: 6, firstPosition: 12, lastPosition: 15 };
  try {
    expect(await bus.identity()).toMatchObject({ network: 'test', lanes: 2 });
    await expect(bus.writer('raw-blocks', 'other', 1_000)).rejects.toBeInstanceOf(LeaseHeldError);
    const member = await bus.consumer({
      topic: 'raw-blocks',
      group: 'decode',
      owner: 'new',
      sessionMs: 5_000,
    });
    const leases = await member.claim();
    expect(leases).toEqual([
      { lane: 0, committed: 10, generation: 4, owner: 'new' },
      { lane: 1, committed: 2, generation: 5, owner: 'new' },
    ]);
    const [, lease] = leases;
    if (!lease) throw new Error('no lease of lane 1');
    const left = { ...entry, attempt: 1, expected: { blocks: 4 } };
    expect(await member.pending(lease)).toEqual(left);
    await expect(member.pending({ ...lease, owner: 'dead', generation: 4 })).rejects.toBeInstanceOf(
      FencedError,
    );
    await member.confirm(lease, left);
    expect((await bus.lag())[1]).toMatchObject({ lane: 1, committed: 6, end: 6, owner: 'new' });
  } finally {
    await bus.close();
  }
});
