import { parseArgs } from 'node:util';
import { BenchError } from '../common/bench-error.ts';
import { count } from '../common/options.ts';

export interface IdleOptions {
  /** Length of each window in which CPU time is counted. */
  readonly seconds: number;
  readonly json: boolean;
}

const HELP = `bench:idle: what a start costs while nothing or little happens, in percent of a core, and how soon a block is visible

  --seconds N   length of each measured window (default 60: two rests of the lanes)
  --json        one JSON object instead of tables
  --help        this text
`;

/** Reads the command line; null where help was asked for and printed. Throws `BenchError`. */
export function readIdleOptions(): IdleOptions | null {
  const { values } = parse();
  if (values.help) {
    process.stdout.write(HELP);
    return null;
  }
  return { seconds: count('seconds', values.seconds), json: values.json };
}

function parse() {
  try {
    return parseArgs({
      options: {
        seconds: { type: 'string', default: '60' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new BenchError(`${(error as Error).message} (try --help)`);
  }
}
