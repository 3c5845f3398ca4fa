import { Command } from 'commander';
import { PACKAGE_VERSION } from '../platform/config/package-version.ts';
import { printAnswer, printNotice } from '../platform/observability/terminal.ts';

type Exit = (code: number) => void;

/** Fills a command's flags and action in; `exit` takes the code when its work was done without an error. */
type Define = (command: Command, exit: Exit) => void;

interface CommandEntry {
  readonly description: string;
  /** Only the command that runs is loaded: the others would cost a second of start. */
  readonly load: () => Promise<Define>;
}

const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  up: {
    description: 'index a source and answer the v2 and v3 APIs, in one process',
    load: async () => (await import('./commands/up.ts')).upCommand,
  },
  index: {
    description: 'index a finite source until it is exhausted and everything is decoded',
    load: async () => (await import('./commands/index-source.ts')).indexCommand,
  },
  topics: {
    description: 'create or check the topics of a log on Kafka',
    load: async () => (await import('./commands/topics.ts')).topicsCommand,
  },
  capture: {
    description: 'run the stage capture alone: append the blocks of a source to the log',
    load: async () => (await import('./commands/capture.ts')).captureCommand,
  },
  decode: {
    description: 'run the stage decode alone: from the log into the store; any number may run',
    load: async () => (await import('./commands/decode.ts')).decodeCommand,
  },
  publish: {
    description:
      'run the stage publish alone, on Kafka: write typed Avro topics for other consumers; any number may run',
    load: async () => (await import('./commands/publish.ts')).publishCommand,
  },
  serve: {
    description: 'answer the v2 and v3 APIs from the store',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  keys: {
    description: 'create, list or revoke keys of the API',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  metadata: {
    description: 'say what a token is, above what the chain and its links say: set, list, remove overrides',
    load: async () => (await import('./commands/metadata.ts')).metadataCommand,
  },
  hooks: {
    description: 'add, list and remove webhooks; list and retry deliveries that were given up',
    load: async () => (await import('./commands/hooks.ts')).hooksCommand,
  },
  status: {
    description: 'show the head, the lag of each stage and lane, dead letters and sizes',
    load: async () => (await import('./commands/status.ts')).statusCommand,
  },
  verify: {
    description: 'prove from the store that nothing is missing, doubled or altered',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  migrate: {
    description: 'apply the migrations that the store lacks; other commands do so when they start',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  generate: {
    description: 'write an archive of valid blocks for load tests',
    load: async () => (await import('./commands/generate.ts')).generateCommand,
  },
  localnet: {
    description: 'fund an account of the running local chain, make blocks, move its time',
    load: async () => (await import('./commands/localnet.ts')).localnetCommand,
  },
  replay: {
    description:
      'build the next version of a projection beside the served one, and serve it; roll back; prune',
    load: async () => (await import('./commands/replay.ts')).replayCommand,
  },
  diff: {
    description: 'compare the output of this code with the stored rows',
    load: async () => (await import('./commands/diff.ts')).diffCommand,
  },
  cells: {
    description:
      'name the cells of states that no block of the index shows, or fetch them from a folder of states',
    load: async () => (await import('./commands/cells.ts')).cellsCommand,
  },
  'dead-letters': {
    description: 'list, retry or export records that could not be decoded',
    load: async () => (await import('./commands/dead-letters.ts')).deadLettersCommand,
  },
};

/** The command line of tonhouse, with the command that `argv` names filled in. */
export async function createProgram(argv: readonly string[], exit: Exit): Promise<Command> {
  const program = new Command('tonhouse')
    .description(
      'The TON blockchain as typed events in ClickHouse, with the TON Center v2 and v3 HTTP APIs on top.',
    )
    .version(PACKAGE_VERSION)
    .option('--debug', 'print stack traces of errors')
    .exitOverride()
    .showHelpAfterError('(try --help)');
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, { description, load }]) => {
      const command = new Command(name).description(description).exitOverride();
      if (argv.includes(name)) (await load())(command, exit);
      return command;
    }),
  );
  return withOutput(commands.reduce((all, command) => all.addCommand(command), program));
}

/** Usage errors repeat arguments, so commander writes to the terminal as everything else does. */
function withOutput(command: Command): Command {
  command.configureOutput({ writeOut: printAnswer, writeErr: printNotice }).commands.map(withOutput);
  return command;
}
