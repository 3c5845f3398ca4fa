import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BenchError } from '../common/bench-error.ts';
import { count } from '../common/options.ts';
import { ENGINES, type EngineName } from './engine-list.ts';
import { BATCH_ROWS } from './made-rows.ts';

/** What is measured. */
export interface EnginesOptions {
  readonly keys: number;
  readonly memoryMb: number;
  /** Most minutes that one engine inserts. */
  readonly minutes: number;
  readonly engines: readonly EngineName[];
  /** Rows of one file of `sqlite-files`. */
  readonly rowsPerFile: number;
  /** Absolute; null: a temporary folder. */
  readonly data: string | null;
  /** Absolute folder whose `node_modules` has the packages of engines. */
  readonly modules: string;
  readonly json: boolean;
}

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const MILLION = 1_000_000;

const HELP = `bench:engines: key-value engines for the look-up index, with more data than memory

  --keys N           keys to insert, in batches of ${BATCH_ROWS} (default 100000000)
  --memory-mb N      memory of a process with its file pages, by a cgroup (default 1024)
  --minutes N        stop inserting into an engine after this time (default 20)
  --engines LIST     default ${Object.keys(ENGINES).join(',')}
  --file-millions N  million keys of one file of sqlite-files (default 10)
  --data DIR         folder of the stores (default: a temporary one); each store is removed after its run
  --modules DIR      folder whose node_modules has the packages of the other engines (default: the project)
  --json             one JSON object instead of tables
  --help             this text
`;

/** Reads the command line; null if help was printed. @throws BenchError */
export function readEnginesOptions(): EnginesOptions | null {
  const values = parse();
  if (values.help) {
    process.stdout.write(HELP);
    return null;
  }
  return {
    keys: count('keys', values.keys),
    memoryMb: count('memory-mb', values['memory-mb']),
    minutes: count('minutes', values.minutes),
    engines: values.engines.split(',').map(toEngineName),
    rowsPerFile: count('file-millions', values['file-millions']) * MILLION,
    data: values.data === undefined ? null : resolve(values.data),
    modules: resolve(values.modules),
    json: values.json,
  };
}

function toEngineName(text: string): EngineName {
  if (Object.hasOwn(ENGINES, text)) return text as EngineName;
  throw new BenchError(`--engines ${text}: some of ${Object.keys(ENGINES).join(',')} expected`);
}

function parse() {
  try {
    return parseArgs({
      options: {
        keys: { type: 'string', default: '100000000' },
        'memory-mb': { type: 'string', default: '1024' },
        minutes: { type: 'string', default: '20' },
        engines: { type: 'string', default: Object.keys(ENGINES).join(',') },
        'file-millions': { type: 'string', default: '10' },
        data: { type: 'string' },
        modules: { type: 'string', default: PROJECT },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new BenchError(`${(error as Error).message} (try --help)`);
  }
}
