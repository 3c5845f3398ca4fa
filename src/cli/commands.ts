import type { Command } from 'commander';

type Exit = (code: number) => void;

/** Adds a command's flags and action. `exit` takes the exit code of work that ended without an error. */
export type Define = (command: Command, exit: Exit) => void;

export interface CommandEntry {
  /** Heading in the list of commands. */
  readonly group: 'Run' | 'Inspect and repair' | 'Upgrade' | 'Administer' | 'Develop';
  readonly description: string;
  /** Command lines without `tonhouse`, for the end of `--help`. */
  readonly examples: readonly string[];
  /** Loads the command that runs. To load all of them takes a second. */
  readonly load: () => Promise<Define>;
}

/** All commands by name, except `completion`, which needs the others. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  up: {
    group: 'Run',
    description: 'index a source and serve the v2 and v3 APIs, in one process',
    examples: [
      'up --traffic 5',
      'up --source archive:/var/ton-work/db/archive/packages --data /var/lib/tonhouse',
      'up --config /etc/tonhouse.conf',
    ],
    load: async () => (await import('./commands/up.ts')).upCommand,
  },
  index: {
    group: 'Run',
    description: 'index a source with an end, and exit',
    examples: [
      'index archive:./packages --data ./mainnet',
      'index archive:./packages --data ./mainnet --bulk',
      'index files:./blocks --isolated --data ./blocks-data',
    ],
    load: async () => (await import('./commands/index-source.ts')).indexCommand,
  },
  join: {
    group: 'Run',
    description: 'join indexes of later ranges of the chain into one index',
    examples: ['join ./range-2 ./range-3 --data ./mainnet'],
    load: async () => (await import('./commands/join.ts')).joinCommand,
  },
  capture: {
    group: 'Run',
    description: 'run only the stage capture: append the blocks of a source to the log',
    examples: ['capture archive:./packages --kafka broker:9092'],
    load: async () => (await import('./commands/capture.ts')).captureCommand,
  },
  decode: {
    group: 'Run',
    description: 'run only the stage decode: write the log into the store; several may run',
    examples: ['decode --kafka broker:9092 --clickhouse-url http://clickhouse:8123'],
    load: async () => (await import('./commands/decode.ts')).decodeCommand,
  },
  serve: {
    group: 'Run',
    description: 'serve the v2 and v3 APIs from the store',
    examples: [
      'serve --data ./mainnet --port 8081',
      'serve --kafka broker:9092 --clickhouse-url http://clickhouse:8123',
    ],
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  topics: {
    group: 'Run',
    description: 'create the topics of a log on Kafka, or check them',
    examples: ['topics archive:./packages --kafka broker:9092', 'topics --check --kafka broker:9092'],
    load: async () => (await import('./commands/topics.ts')).topicsCommand,
  },
  publish: {
    group: 'Run',
    description: 'run only the stage publish: write typed Avro topics on Kafka; several may run',
    examples: ['publish --kafka broker:9092'],
    load: async () => (await import('./commands/publish.ts')).publishCommand,
  },
  status: {
    group: 'Inspect and repair',
    description: 'show the newest block, the lag of each stage and lane, dead letters and sizes',
    examples: ['status', 'status --data ./mainnet --json'],
    load: async () => (await import('./commands/status.ts')).statusCommand,
  },
  verify: {
    group: 'Inspect and repair',
    description: 'check that no row of the store is missing, doubled or altered',
    examples: ['verify', 'verify --log', 'verify --repair --source archive:./packages'],
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  log: {
    group: 'Inspect and repair',
    description: 'seal old epochs of the log into compressed files',
    examples: ['log seal', 'log seal --hot-epochs 2', 'log seal --data ./mainnet --json'],
    load: async () => (await import('./commands/log.ts')).logCommand,
  },
  raw: {
    group: 'Inspect and repair',
    description: 'move the sealed files of the log to another folder or disk',
    examples: ['raw move --to /mnt/cold/tonhouse', 'raw move --to log'],
    load: async () => (await import('./commands/raw.ts')).rawCommand,
  },
  'dead-letters': {
    group: 'Inspect and repair',
    description: 'list, retry or export records that could not be decoded',
    examples: ['dead-letters list', 'dead-letters retry', 'dead-letters export --out ./letters'],
    load: async () => (await import('./commands/dead-letters.ts')).deadLettersCommand,
  },
  cells: {
    group: 'Inspect and repair',
    description: 'list cells of account states that no indexed block contains, or add them',
    examples: ['cells', 'cells --from ./states'],
    load: async () => (await import('./commands/cells.ts')).cellsCommand,
  },
  migrate: {
    group: 'Inspect and repair',
    description: 'apply missing migrations to the store, as other commands do when they start',
    examples: ['migrate'],
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  replay: {
    group: 'Upgrade',
    description: 'build the next version of a projection and serve it, roll back, or prune',
    examples: ['replay contracts --dry-run', 'replay contracts --yes', 'replay rollback contracts'],
    load: async () => (await import('./commands/replay.ts')).replayCommand,
  },
  diff: {
    group: 'Upgrade',
    description: 'compare the output of this code with the stored rows',
    examples: ['diff actions --from-seqno 1 --to-seqno 1000'],
    load: async () => (await import('./commands/diff.ts')).diffCommand,
  },
  export: {
    group: 'Run',
    description: 'write a table for analysts to Parquet, Arrow, CSV or NDJSON files',
    examples: [
      'export transactions --from 2026-11-01 --to 2026-11-30 --out ./lake',
      'export messages --out ./lake --follow',
      'export jetton_events --account ADDRESS --out events.csv',
    ],
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  keys: {
    group: 'Administer',
    description: 'create, list or revoke API keys',
    examples: ['keys create alice --rate 25', 'keys list', 'keys revoke ID'],
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  'sql-users': {
    group: 'Administer',
    description: 'add, list or remove named users of the SQL endpoint',
    examples: ['sql-users add alice', 'sql-users list', 'sql-users remove alice'],
    load: async () => (await import('./commands/sql-users.ts')).sqlUsersCommand,
  },
  hooks: {
    group: 'Administer',
    description: 'add, list or remove webhooks, and retry failed deliveries',
    examples: ['hooks list', 'hooks remove ID', 'hooks retry'],
    load: async () => (await import('./commands/hooks.ts')).hooksCommand,
  },
  metadata: {
    group: 'Administer',
    description: 'set, list or remove your own data of jettons and NFTs',
    examples: ['metadata override list', 'metadata mintless list'],
    load: async () => (await import('./commands/metadata.ts')).metadataCommand,
  },
  localnet: {
    group: 'Develop',
    description: 'fund an account, make blocks, move the time or store the running local chain',
    examples: ['localnet fund ADDRESS 1.5', 'localnet mine 10', 'localnet snapshot', 'localnet revert ID'],
    load: async () => (await import('./commands/localnet.ts')).localnetCommand,
  },
  generate: {
    group: 'Develop',
    description: 'write an archive of valid blocks for load tests',
    examples: ['generate --transactions 100000 --out ./packages'],
    load: async () => (await import('./commands/generate.ts')).generateCommand,
  },
};
