import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BenchError } from './bench-error.ts';

/** Options of every bench; counts are whole numbers above zero. */
export interface BenchOptions {
  /** What a bench of ingest measures. Default: `base`. */
  readonly projections: 'base' | 'all';
  /** At least so many transactions; whole copies of the chain's blocks are made. */
  readonly transactions: number;
  readonly epochs: number;
  /** Folder of real block BoCs, searched with its subfolders. */
  readonly blocks: string;
  /** Absolute; null: a temporary one. */
  readonly data: string | null;
  readonly connections: number;
  readonly seconds: number;
  /** Requests of each endpoint, one after the other. */
  readonly requests: number;
  readonly json: boolean;
  /** Of a bench of the API. */
  readonly lookUpIndex: 'on' | 'off';
}

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

const DEFAULT_EPOCHS = 100;
const DEFAULT_TRANSACTIONS = 1_000_000;
/** Of the chain for all projections: the TVM executes each one. */
const EXECUTED_TRANSACTIONS = 20_000;

const help = (epochs: number, { hasProjections, hasLookUps }: Choices) => `
  --transactions N   synthetic transactions, at least (default ${DEFAULT_TRANSACTIONS})
  --epochs N         epochs that they are spread over (default ${epochs})
  --blocks DIR       folder of real blocks (.boc) to multiply (default ../shared/data/blocks)
  --data DIR         data directory (default: a temporary one, removed afterwards)
  --connections N    connections of the concurrent runs (default 16)
  --requests N       requests of each endpoint at one connection (default 600)
  --seconds N        length of each concurrent run (default 10)
${
  hasProjections
    ? `  --projections all  every projection over mixed traffic (default ${EXECUTED_TRANSACTIONS} transactions), against base
`
    : ''
}${hasLookUps ? '  --lookup-index off the measured API has no look-up index (default on: complete before it is measured)\n' : ''}  --json             one JSON object instead of tables
  --help             this text
`;

/** Options that not every bench has: `--projections base|all`, `--lookup-index on|off`. */
interface Choices {
  readonly hasProjections?: boolean;
  readonly hasLookUps?: boolean;
}

/** A bench's own defaults. */
interface Defaults extends Choices {
  readonly epochs?: number;
}

/** Reads the command line; null if help was printed. Throws `BenchError`. */
export function readOptions(
  title: string,
  { epochs = DEFAULT_EPOCHS, ...choices }: Defaults = {},
): BenchOptions | null {
  const { values } = parse(epochs, choices);
  if (values.help) {
    process.stdout.write(`${title}\n${help(epochs, choices)}`);
    return null;
  }
  const { projections = 'base' } = values;
  if (projections !== 'base' && projections !== 'all')
    throw new BenchError(`--projections ${projections}: base or all expected`);
  const transactions = projections === 'all' ? EXECUTED_TRANSACTIONS : DEFAULT_TRANSACTIONS;
  return {
    projections,
    transactions: count('transactions', values.transactions ?? `${transactions}`),
    epochs: count('epochs', values.epochs),
    blocks: resolve(values.blocks ?? join(PROJECT, '../shared/data/blocks')),
    data: values.data === undefined ? null : resolve(values.data),
    connections: count('connections', values.connections),
    seconds: count('seconds', values.seconds),
    requests: count('requests', values.requests),
    json: values.json,
    lookUpIndex: readSwitch('lookup-index', values['lookup-index']),
  };
}

function parse(epochs: number, { hasProjections, hasLookUps }: Choices) {
  try {
    return parseArgs({
      options: {
        ...(hasProjections ? { projections: { type: 'string' } as const } : {}),
        ...(hasLookUps ? { 'lookup-index': { type: 'string' } as const } : {}),
        transactions: { type: 'string' },
        epochs: { type: 'string', default: String(epochs) },
        blocks: { type: 'string' },
        data: { type: 'string' },
        connections: { type: 'string', default: '16' },
        seconds: { type: 'string', default: '10' },
        requests: { type: 'string', default: '600' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new BenchError(`${(error as Error).message} (try --help)`);
  }
}

/** A flag that is on or off, by default on. @throws BenchError */
export function readSwitch(name: string, text: unknown = 'on'): 'on' | 'off' {
  if (text !== 'on' && text !== 'off') throw new BenchError(`--${name} ${String(text)}: on or off expected`);
  return text;
}

/** A flag's whole number above 0. */
export function count(name: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1)
    throw new BenchError(`--${name} ${text}: a whole number above 0 expected`);
  return value;
}

/** The data directory of a run, and how to leave it. */
export interface BenchDirectory {
  readonly path: string;
  /** Removes a temporary directory; a given one stays. */
  leave(): void;
}

export function benchDirectory({ data }: Pick<BenchOptions, 'data'>): BenchDirectory {
  if (data !== null) {
    mkdirSync(data, { recursive: true });
    return { path: data, leave: () => {} };
  }
  const path = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  return { path, leave: () => rmSync(path, { recursive: true, force: true }) };
}
