import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BenchError } from '../common/bench-error.ts';
import { count } from '../common/options.ts';

export interface LanesOptions {
  /** Numbers of lanes, and of processes that decode, one run each. */
  readonly lanes: readonly number[];
  /** At least so many transactions a run; whole copies of the blocks are made. */
  readonly transactions: number;
  /** Folder of real block BoCs, searched with its subfolders. */
  readonly blocks: string;
  /** Kafka to use; null: a broker of the bench's own. */
  readonly brokers: readonly string[] | null;
  readonly json: boolean;
}

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

const HELP = `bench:lanes: one log of 1, 2, 4 lanes on Kafka, decoded into ClickHouse by as many processes

  --lanes LIST       numbers of lanes, and of processes (default 1,2,4)
  --transactions N   transactions a run, at least (default 200000)
  --blocks DIR       folder of real blocks (.boc) to repeat (default ../shared/data/blocks)
  --brokers LIST     host:port,… of a Kafka (default: one of its own, which takes Java and Maven)
  --json             one JSON object instead of tables
  --help             this text
`;

/** Reads the command line; null where help was asked for and printed. Throws `BenchError`. */
export function readLanesOptions(): LanesOptions | null {
  const { values } = parse();
  if (values.help) {
    process.stdout.write(HELP);
    return null;
  }
  return {
    lanes: values.lanes.split(',').map((text) => count('lanes', text)),
    transactions: count('transactions', values.transactions),
    blocks: resolve(values.blocks ?? join(PROJECT, '../shared/data/blocks')),
    brokers: values.brokers?.split(',') ?? null,
    json: values.json,
  };
}

function parse() {
  try {
    return parseArgs({
      options: {
        lanes: { type: 'string', default: '1,2,4' },
        transactions: { type: 'string', default: '200000' },
        blocks: { type: 'string' },
        brokers: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new BenchError(`${(error as Error).message} (try --help)`);
  }
}
