import type { BaseTable } from '../../src/tables/base-tables.ts';
import { ALL_TABLES } from '../../src/ton/kernel/column-streams.ts';
import { type NativeParts, streamOffsets } from '../../src/ton/kernel/native-parts.ts';
import { BenchError } from '../common/bench-error.ts';
import type { PlannedBlock } from './chain-plan.ts';
import type { CopyMasks, Mask } from './masks.ts';
import { shiftMessagePacks } from './shift-message-pack.ts';

type Kind = 'hash' | 'account' | 'lt' | 'time' | 'seqno';

/**
 * Which columns are moved, and how. Amounts, code, bodies and the BoCs inside stay as the real block has them;
 * `transactions.messages` is moved by shift-message-pack.ts.
 */
const SHIFTED: Readonly<Record<BaseTable, Readonly<Record<string, Kind>>>> = {
  blocks: {
    seqno: 'seqno',
    prev_seqno: 'seqno',
    prev2_seqno: 'seqno',
    root_hash: 'hash',
    file_hash: 'hash',
    master_ref_root_hash: 'hash',
    master_ref_file_hash: 'hash',
    prev_root_hash: 'hash',
    prev_file_hash: 'hash',
    prev2_root_hash: 'hash',
    prev2_file_hash: 'hash',
    state_hash_before: 'hash',
    state_hash_after: 'hash',
    rand_seed: 'hash',
    gen_utime: 'time',
    start_lt: 'lt',
    end_lt: 'lt',
    master_ref_end_lt: 'lt',
    prev_end_lt: 'lt',
    prev2_end_lt: 'lt',
  },
  shards: {
    seqno: 'seqno',
    root_hash: 'hash',
    file_hash: 'hash',
    start_lt: 'lt',
    end_lt: 'lt',
    gen_utime: 'time',
  },
  config_params: {},
  transactions: {
    seqno: 'seqno',
    account: 'account',
    lt: 'lt',
    hash: 'hash',
    prev_trans_hash: 'hash',
    prev_trans_lt: 'lt',
    now: 'time',
    state_hash_before: 'hash',
    state_hash_after: 'hash',
  },
  messages: {
    hash: 'hash',
    hash_norm: 'hash',
    created_lt: 'lt',
    created_at: 'time',
    source: 'account',
    destination: 'account',
    tx_account: 'account',
    tx_lt: 'lt',
    tx_hash: 'hash',
  },
  account_states: {
    account: 'account',
    lt: 'lt',
    last_trans_hash: 'hash',
    hash: 'hash',
    last_paid: 'time',
    prev_lt: 'lt',
  },
  account_cells: { account: 'account', lt: 'lt', hash: 'hash' },
  raw_blocks: { seqno: 'seqno', root_hash: 'hash', file_hash: 'hash' },
};

const WIDTH: Readonly<Record<Kind, number>> = { hash: 32, account: 32, lt: 8, time: 4, seqno: 4 };

interface Place {
  readonly table: BaseTable;
  readonly stream: number;
  readonly kind: Kind;
}

function findStream(table: BaseTable, column: string): number {
  const columns = ALL_TABLES.find(({ name }) => name === table)?.columns;
  const found = columns?.find(({ name }) => name === column);
  if (!found) throw new TypeError(`the tables have no column ${table}.${column}`);
  return found.first;
}

const PLACES: readonly Place[] = (Object.keys(SHIFTED) as BaseTable[]).flatMap((table) =>
  Object.entries(SHIFTED[table]).map(([column, kind]) => ({
    table,
    kind,
    stream: findStream(table, column),
  })),
);
const RAW_BLOCKS = ALL_TABLES.findIndex(({ name }) => name === 'raw_blocks');
const PACKS = findStream('transactions', 'messages');

/** Start of the rows of the next block. */
interface Mark {
  readonly rows: Record<BaseTable, number>;
  packs: number;
}

/** Moves decoded rows to their place in the synthetic chain. `blocks`: those that the rows are of, in their order. */
export function shiftRows(
  parts: NativeParts,
  blocks: readonly PlannedBlock[],
  getMasks: (copy: number) => CopyMasks,
): void {
  const offsets = streamOffsets(parts.sizes);
  const names = ALL_TABLES.map(({ name }) => [name, 0] as const);
  const getRows = ({ real }: PlannedBlock, table: BaseTable) =>
    isLeftOut(parts, table) ? 0 : real.rows[table];
  const mark: Mark = { rows: Object.fromEntries(names) as Record<BaseTable, number>, packs: 0 };
  for (const block of blocks) {
    const masks = getMasks(block.copy);
    for (const { table, stream, kind } of PLACES) {
      const count = getRows(block, table) * WIDTH[kind];
      if (count === 0) continue;
      const from = (offsets[stream] as number) + mark.rows[table] * WIDTH[kind];
      // Streams start at multiples of eight and these are of fixed width: words are aligned.
      shiftColumn(new Uint32Array(parts.buffer, from, count >> 2), kind, block, masks);
    }
    const packs = new Uint8Array(parts.buffer, offsets[PACKS], parts.sizes[PACKS]);
    const end = mark.packs + block.real.packBytes;
    shiftMessagePacks(packs.subarray(0, end), mark.packs, block, masks);
    mark.packs = end;
    for (const [table] of names) mark.rows[table] += getRows(block, table);
  }
  checkEnd(parts, mark);
}

/** Blocks that are stored already make no row of `raw_blocks`. */
function isLeftOut({ rows }: NativeParts, table: BaseTable): boolean {
  return table === 'raw_blocks' && rows[RAW_BLOCKS] === 0;
}

/** Rows of other blocks would have been moved wrongly. */
function checkEnd({ rows, sizes }: NativeParts, mark: Mark): void {
  const differs = ALL_TABLES.find(({ name }, table) => rows[table] !== mark.rows[name]);
  if (differs || sizes[PACKS] !== mark.packs) {
    throw new BenchError(`rows of ${differs?.name ?? 'messages'} are not those of the planned blocks`);
  }
}

function shiftColumn(values: Uint32Array, kind: Kind, block: PlannedBlock, masks: CopyMasks): void {
  if (kind === 'hash') xorAll(values, () => masks.hash);
  else if (kind === 'account') xorAll(values, (last) => masks.accounts[(last >>> 24) & 15] ?? null);
  else if (kind === 'lt') addAll64(values, block.ltShift);
  else addAll32(values, kind === 'time' ? block.timeShift : block.seqnoShift);
}

function xorAll(values: Uint32Array, getMask: (lastWord: number) => Mask | null): void {
  for (let at = 0; at < values.length; at += 8) {
    let any = 0;
    for (let i = 0; i < 8; i++) any |= values[at + i] as number;
    const mask = any === 0 ? null : getMask(values[at + 7] as number);
    if (mask) for (let i = 0; i < 8; i++) values[at + i] = (values[at + i] as number) ^ (mask[i] as number);
  }
}

function addAll64(values: Uint32Array, shift: bigint): void {
  const low = Number(BigInt.asUintN(32, shift));
  const high = Number(BigInt.asUintN(32, shift >> 32n));
  for (let at = 0; at < values.length; at += 2) {
    const old = values[at] as number;
    if (old === 0 && values[at + 1] === 0) continue;
    const sum = old + low;
    values[at] = sum;
    values[at + 1] = (values[at + 1] as number) + high + (sum > 0xffffffff ? 1 : 0);
  }
}

function addAll32(values: Uint32Array, shift: number): void {
  for (let at = 0; at < values.length; at++) {
    if (values[at] !== 0) values[at] = (values[at] as number) + shift;
  }
}
