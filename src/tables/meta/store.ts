import { AT } from '../engine-tables.ts';
import { coded, column, defineTable } from '../table.ts';
import { buildStored, type Target } from '../target.ts';

/* What the store records about itself, in the database of the network. */

const version = 1;
const PROJECTION = column('String', 'Name of the projection.');
const REVISION = column('UInt64', 'Number of the row: the highest one counts.');

const IDENTITY = defineTable({
  name: 'identity',
  version,
  comment: 'Which network the store has. The first value of a key counts.',
  key: ['key', 'at'],
  columns: { key: column('String', 'Name of the fact.'), value: column('String', 'The fact.'), at: AT },
});

const MIGRATIONS = defineTable({
  name: 'migrations',
  version,
  comment: 'Applied migration files. The newest row of a file counts.',
  key: ['database', 'file'],
  columns: {
    database: column('String', 'Database that the file was applied to.'),
    file: column('String', 'Folder and name of the file.'),
    checksum: column('FixedString(64)', 'SHA-256 of the file without comments of columns and tables, hex.'),
    applied_at: AT,
  },
});

const PROJECTION_POINTER = defineTable({
  name: 'projection_pointer',
  version,
  comment: 'Which version of a projection answers are read from. The highest revision counts.',
  key: ['projection', 'revision'],
  columns: {
    projection: PROJECTION,
    version: column('UInt32', 'Version that is served.'),
    revision: REVISION,
    changed_at: { ...AT, comment: 'When the version was announced.' },
  },
});

const PROJECTION_VERSIONS = defineTable({
  name: 'projection_versions',
  version,
  comment:
    'Versions of projections. The highest revision counts. A version without a row was built by the code of its number.',
  key: ['projection', 'version', 'revision'],
  columns: {
    projection: PROJECTION,
    version: column('UInt32', 'The version.'),
    code_version: column('UInt32', 'Version of the code that built it.'),
    state: column(
      "Enum8('building' = 0, 'switching' = 1, 'ready' = 2, 'dropped' = 3)",
      'How far the version is.',
    ),
    detail: column('String', 'Schema and progress, JSON.'),
    revision: REVISION,
    at: AT,
  },
});

const REPLAY_JOURNAL = defineTable({
  name: 'replay_journal',
  version,
  comment: 'Batches of a replay, written before their rows.',
  key: ['database', 'event', 'first', 'last'],
  columns: {
    database: column('String', 'Database of the version.'),
    event: column(
      "Enum8('begun' = 0, 'dirty' = 1, 'repaired' = 2)",
      'begun: rows follow; dirty: it was cut off, and is deleted and written again; repaired: merged tables have its rows.',
    ),
    first: column('UInt32', 'First masterchain step of the batch.'),
    last: column('UInt32', 'Last masterchain step of the batch.'),
    at: AT,
  },
});

const RAW_STATES = defineTable({
  name: 'raw_states',
  version,
  comment: 'Start states, which raw_blocks does not have.',
  key: ['position', 'key'],
  columns: {
    position: column('UInt32', 'Masterchain step of the state.'),
    key: column('String', 'Key of the record in the log.'),
    root_hash: column('String', 'Root hash of the state, hex.'),
    value: coded('String', 'ZSTD(3)', 'Record of the log.'),
  },
});

const FENCES = defineTable({
  name: 'fences',
  version,
  comment: 'Attempts at a batch that its next owner closed: later inserts and deletes of them are refused.',
  key: ['range', 'attempt'],
  columns: {
    range: column('String', "Start of the ids of the batch's statements."),
    attempt: column('UInt32', 'Closed attempt. It closes those before it.'),
    at: AT,
  },
});

const CLOSED_ATTEMPTS: Target = {
  name: 'closed_attempts',
  comment: 'Closed attempts in memory, by the start of the ids of their statements: each insert looks here.',
  source: 'fences',
  columns: [
    { name: 'id', type: 'String', comment: 'Start of the ids of the statements.', codec: null },
    { name: 'is_closed', type: 'UInt8', comment: 'Always 1.', codec: null },
  ],
  select: (from) =>
    `SELECT concat(\`range\`, 'a', toString(arrayJoin(range(1, attempt + 1)))) AS id, 1 AS is_closed\nFROM ${from}\nWHERE endsWith(\`range\`, ':')`,
  engine: 'Join(ANY, LEFT, id)',
  orderBy: [],
  shard: '0',
};

const INTEGRITY_PROOFS = defineTable({
  name: 'integrity_proofs',
  version,
  comment: 'State of the continuous proof of each version. The newest row of a database counts.',
  key: ['database'],
  columns: {
    database: column('String', 'Database of the version.'),
    state: coded('String', 'ZSTD(3)', 'How far the proof is, JSON.'),
    at: AT,
  },
});

const COLD_EPOCHS = defineTable({
  name: 'cold_epochs',
  version,
  comment: 'Epochs whose raw blocks are in sealed files of the log. The store may lack them.',
  key: ['epoch'],
  columns: {
    epoch: column('UInt32', 'Number of the epoch.'),
    records: column('UInt64', 'Blocks that were compared with sealed ones before they were dropped.'),
    at: AT,
  },
});

export const STORE_TARGETS: readonly Target[] = [
  buildStored(IDENTITY, { orderBy: IDENTITY.key }),
  buildStored(MIGRATIONS, { engine: 'ReplacingMergeTree(applied_at)', orderBy: MIGRATIONS.key }),
  buildStored(PROJECTION_POINTER, { orderBy: PROJECTION_POINTER.key }),
  buildStored(PROJECTION_VERSIONS, { orderBy: PROJECTION_VERSIONS.key }),
  buildStored(REPLAY_JOURNAL, { orderBy: REPLAY_JOURNAL.key }),
  buildStored(RAW_STATES, { engine: 'ReplacingMergeTree', orderBy: RAW_STATES.key }),
  buildStored(FENCES, { orderBy: ['`range`', 'attempt'] }),
  CLOSED_ATTEMPTS,
  buildStored(INTEGRITY_PROOFS, { engine: 'ReplacingMergeTree(at)', orderBy: INTEGRITY_PROOFS.key }),
  buildStored(COLD_EPOCHS, { engine: 'ReplacingMergeTree(at)', orderBy: COLD_EPOCHS.key }),
];
