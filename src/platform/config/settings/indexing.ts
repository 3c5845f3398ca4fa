import { choice, integer, integerOrAuto, list, optionalText, text, toggle } from '../setting.ts';
import { formerly, inGroup, withDetails } from '../setting-notes.ts';

/** Settings of a new log. An existing log is compared with them. */
export const NEW_LOG = inGroup('start', {
  state: list('state', 'zerostate or later shard state to start from', 'FILE'),
  isolated: withDetails(
    toggle('isolated', 'treat the blocks of the source as unrelated, without continuity'),
    'Needs its own data directory. Such an index has only the projection base.',
  ),
  epochSize: withDetails(
    integerOrAuto('epoch-size', 'masterchain blocks per epoch', { min: 1, max: 10_000_000 }),
    'Fixed when the log is created: auto is the value of the log, 200000 for a new one.',
  ),
  lanes: withDetails(
    integerOrAuto('lanes', 'lanes of the log, which are indexed in parallel', { min: 1, max: 1024 }),
    'Fixed when the log is created: auto is the value of the log, 8 for a new one.',
  ),
});

/** Settings of the local chain. */
export const LOCAL_CHAIN = {
  ...inGroup('localnet', {
    traffic: integer('traffic', 'transactions per second that the local chain generates', {
      min: 0,
      max: 10_000,
      fallback: 0,
    }),
    fast: toggle('fast', 'make blocks as soon as there is work, without waiting for --block-ms'),
    fork: withDetails(
      list('fork', 'accounts of another network that a new local chain begins with', 'PATH'),
      'A file or a folder of files: shard states, accounts and libraries as BoC. liteserver: accounts are fetched from the network of --global-config when they are needed. Fixed when the chain begins.',
    ),
    at: withDetails(
      optionalText('at', 'masterchain block of --fork liteserver', 'SEQNO'),
      'Proven as --trust says. SEQNO:ROOT:FILE, with hashes in hex, is trusted without a proof. Needed when the chain begins.',
    ),
    blockMs: integer('block-ms', 'milliseconds between blocks when there is work', {
      min: 0,
      max: 600_000,
      fallback: 400,
    }),
  }),
  ...inGroup('genesis', {
    localnetSeed: text('localnet-seed', 'seed of the keys and the genesis block', 'TEXT', 'localnet'),
    localnetSignatures: choice(
      'localnet-signatures',
      'form of the signatures of masterchain blocks',
      ['ordinary', 'simplex'],
      'ordinary',
    ),
    localnetShards: integer('localnet-shards', 'shards of the basechain', { min: 1, max: 4, fallback: 1 }),
  }),
} as const;

const HOT_EPOCHS = withDetails(
  integer('hot-epochs', 'newest epochs whose raw blocks stay in the store; 0: all epochs', {
    min: 0,
    max: 1_000_000,
    fallback: 0,
  }),
  'Includes --seal-log. Raw blocks of older epochs are in the sealed files only, and answers, replay and repair read them there. Needs the log of the data directory and a store on one server.',
);

const RAW = withDetails(
  optionalText('raw', 'folder or s3://BUCKET/PREFIX to which sealed files are moved', 'PLACE'),
  'Includes --seal-log. A file is sealed in the data directory, copied, compared and then moved. If the place cannot be reached, files stay and are moved later.',
);

/** Settings of decoding and writing. */
export const INDEXING = {
  ...inGroup('decoder', {
    verifyLevel: withDetails(
      choice(
        'verify-level',
        'hashes that decoding checks; each level includes the one before',
        ['auto', 'none', 'file', 'tx', 'root'],
        'auto',
      ),
      'file: the file hash. tx: also transaction and message hashes. root: also every cell and the Merkle update. auto is tx, and root for isolated blocks, which have no other proof.',
    ),
    decodeWorkers: withDetails(
      integerOrAuto(
        'decode-workers',
        'threads that decode, shared by all projections; 0 decodes on the main thread',
        {
          min: 0,
          max: 64,
        },
      ),
      'auto uses all processors but one: at least 1, at most 8.',
    ),
    batchRows: integer('batch-rows', 'transactions in a full batch', {
      min: 1,
      max: 1_000_000,
      fallback: 20_000,
    }),
    batchMs: integer('batch-ms', 'milliseconds that a batch at the head waits for more transactions', {
      min: 0,
      max: 60_000,
      fallback: 200,
    }),
  }),
  ...inGroup('up', {
    idleMs: formerly(
      withDetails(
        integer('idle-ms', 'milliseconds that new blocks may wait to be written while no client asks', {
          min: 0,
          max: 600_000,
          fallback: 60_000,
        }),
        'With much traffic, the time is shorter: down to a sixth. 0 writes every block at once. Only requests to this process count.',
      ),
      'rest-ms',
    ),
  }),
  ...inGroup('decoder', {
    sessionMs: integer(
      'session-ms',
      'milliseconds of silence after which a process loses its lanes, or its turn to detect contracts',
      {
        min: 1_000,
        max: 600_000,
        fallback: 15_000,
      },
    ),
  }),
  ...inGroup('rules', {
    actionRules: withDetails(
      choice(
        'action-rules',
        'TON Center release whose rules make actions from traces',
        ['1.2', '1.3'],
        '1.2',
      ),
      'A stored version keeps its rules until `tonhouse replay actions` builds one with these.',
    ),
  }),
  ...inGroup('index', {
    keepLog: withDetails(
      toggle('keep-log', 'keep blocks in the log of the data directory after the store has them'),
      'Otherwise the log drops epochs that the store has, except the newest.',
    ),
    sealLog: withDetails(
      toggle('seal-log', 'keep all blocks in the log, and seal finished epochs into compressed files'),
      'Sealed blocks take about half of the space. Earlier releases cannot read a log with sealed epochs.',
    ),
    hotEpochs: HOT_EPOCHS,
    raw: RAW,
  }),
  ...inGroup('bulk', {
    bulk: withDetails(
      toggle('bulk', 'load history: merge the tables after all blocks are written'),
      'Each row is rewritten fewer times. Answers are slow until the merge at the end is done. If the load stops, the same command continues it; a start without --bulk lets the store merge as usual.',
    ),
  }),
} as const;
