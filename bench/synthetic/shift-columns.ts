import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import type { BaseTable } from '../../src/ton/columns/tables.ts';
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
  readonly index: number;
  readonly kind: Kind;
}

/** Where the rows of a block begin: rows by table, and bytes of the packed messages. */
export interface ShiftMark {
  readonly rows: Readonly<Record<BaseTable, number>>;
  readonly packs: number;
}

const PACKS = 'messages';

/** Moves the rows of a block that was just decoded to its place in the synthetic chain. */
export class ColumnShift {
  readonly #places: readonly Place[];
  readonly #packColumn: number;

  constructor() {
    const columns = (Object.keys(SHIFTED) as BaseTable[]).flatMap((table) =>
      Object.entries(SHIFTED[table]).map(([column, kind]) => ({ table, column, kind })),
    );
    this.#places = columns.map(({ table, column, kind }) => ({ table, kind, index: indexOf(table, column) }));
    this.#packColumn = indexOf('transactions', PACKS);
  }

  /** To be taken before the block is decoded. */
  mark(columns: BaseColumns): ShiftMark {
    return { rows: columns.rows(), packs: this.#packs(columns).length };
  }

  /** Moves everything behind the mark. */
  apply(columns: BaseColumns, mark: ShiftMark, block: PlannedBlock, masks: CopyMasks): void {
    for (const { table, index, kind } of this.#places) {
      const bytes = part(columns, table, index);
      const from = (mark.rows[table] as number) * WIDTH[kind];
      if (from < bytes.length) shiftColumn(bytes, from, kind, block, masks);
    }
    shiftMessagePacks(this.#packs(columns), mark.packs, block, masks);
  }

  #packs(columns: BaseColumns): Uint8Array {
    return part(columns, 'transactions', this.#packColumn);
  }
}

const INDEXES = new Map<string, number>();

function indexOf(table: BaseTable, column: string): number {
  if (INDEXES.size === 0) {
    for (const [name, { columns }] of Object.entries(new BaseColumns().tables)) {
      columns.forEach((builder, i) => {
        INDEXES.set(`${name}.${builder.name}`, i);
      });
    }
  }
  const index = INDEXES.get(`${table}.${column}`);
  if (index === undefined) throw new TypeError(`the tables have no column ${table}.${column}`);
  return index;
}

function part(columns: BaseColumns, table: BaseTable, index: number): Uint8Array {
  return columns.tables[table].columns[index]?.parts()[0] as Uint8Array;
}

function shiftColumn(
  bytes: Uint8Array,
  from: number,
  kind: Kind,
  block: PlannedBlock,
  masks: CopyMasks,
): void {
  const values = words(bytes, from);
  if (kind === 'hash') xorAll(values, () => masks.hash);
  else if (kind === 'account') xorAll(values, (last) => masks.accounts[(last >>> 24) & 15] ?? null);
  else if (kind === 'lt') addAll64(values, block.ltShift);
  else addAll32(values, kind === 'time' ? block.timeShift : block.seqnoShift);
}

/** Columns of fixed width stand in buffers of their own, from their first byte on: words are aligned. */
function words(bytes: Uint8Array, from: number): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset + from, (bytes.length - from) >> 2);
}

function xorAll(values: Uint32Array, maskOf: (lastWord: number) => Mask | null): void {
  for (let at = 0; at < values.length; at += 8) {
    let any = 0;
    for (let i = 0; i < 8; i++) any |= values[at + i] as number;
    const mask = any === 0 ? null : maskOf(values[at + 7] as number);
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
