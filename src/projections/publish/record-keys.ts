import { BASE_TABLES } from '../../tables/base-tables.ts';
import { enumCodes } from '../../tables/column-type.ts';
import type { TableView } from '../../ton/kernel/table-view.ts';
import type { PublishedKind } from './published.ts';

/** Key and partition of a kind's records. */
export interface KeyRule {
  /** The same for the same fact, however often it is written; no two facts share one. */
  readonly key: (view: TableView, row: number) => string;
  /** Column with the account whose records stay in one partition; null: they stay in the lane they came from. */
  readonly account: string | null;
}

const names = (codes: Readonly<Record<string, number>>) =>
  new Map(Object.entries(codes).map(([name, code]) => [code, name]));
const SIDES = names(enumCodes(BASE_TABLES.messages.side));
const ORIGINS = names(enumCodes(BASE_TABLES.account_states.origin));

const shardHex = (shard: bigint) => shard.toString(16).padStart(16, '0');

/** docs/topics.md describes these for consumers. */
export const KEY_RULES: Readonly<Record<PublishedKind, KeyRule>> = {
  block: {
    key: (view, row) => {
      const [workchain, seqno] = [view.int32('workchain', row), view.uint32('seqno', row)];
      return `(${workchain},${shardHex(view.uint64('shard', row))},${seqno})`;
    },
    account: null,
  },
  transaction: { key: (view, row) => view.hex('hash', row), account: 'account' },
  message: {
    // Several transactions may receive an external message: its hash does not identify one of them.
    key: (view, row) =>
      `${view.hex('hash', row)}:${SIDES.get(view.uint8('side', row))}:${view.uint64('tx_lt', row)}`,
    account: 'tx_account',
  },
  'account-state': {
    key: (view, row) => {
      const account = `${view.int32('workchain', row)}:${view.hex('account', row)}`;
      const origin = ORIGINS.get(view.uint8('origin', row));
      return `${account}:${view.uint64('lt', row)}${origin === 'block' ? '' : `:${origin}`}`;
    },
    account: 'account',
  },
};

/** Partition of an account: the last four bytes of its id, which are as good as random, by the number of partitions. */
export function accountPartition(ids: Buffer, row: number, partitions: number): number {
  return ids.readUInt32BE(row * 32 + 28) % partitions;
}
