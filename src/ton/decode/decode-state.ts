import { onlyRoot, parseBoc } from '../boc/boc.ts';
import { CellHashes } from '../boc/cell-hashes.ts';
import { isComplete } from '../boc/serialize.ts';
import type { BaseColumns } from '../columns/base-columns.ts';
import { forEachShardAccount } from '../tlb/account/shard-accounts.ts';
import { loadShardStateUnsplit, type ShardStateUnsplit } from '../tlb/block/shard-state.ts';
import { NO_CURRENCIES } from '../tlb/extra-currency-collection.ts';
import { loadWholeCell } from '../tlb/whole-cell.ts';
import {
  bareState,
  NO_PREVIOUS_STATE,
  readAccount,
  type StateKey,
  stateFields,
  writeCellRow,
  writeStateRow,
} from './account-row.ts';
import { Contradiction, namingBlock } from './block-error.ts';

/** Header of a state, and the number of its accounts. */
export interface StateCounts {
  readonly workchain: number;
  /** Unsigned 64 bits. */
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly globalId: number;
  readonly genUtime: number;
  readonly genLt: bigint;
  /** The masterchain block that the state refers to; null in a zerostate of a shard. */
  readonly mcSeqno: number | null;
  readonly accounts: number;
}

/**
 * Decodes a complete shard state (ShardStateUnsplit: a zerostate or the state after a block). Writes rows of
 * `account_states` (origin `state`, no previous state) and `account_cells`, accounts by address.
 *
 * @param mcSeqno the rows' mc_seqno
 * @throws BlockError, and nothing else; the columns are then unchanged
 */
export function decodeState(bytes: Uint8Array, mcSeqno: number, columns: BaseColumns): StateCounts {
  const mark = columns.mark();
  try {
    return namingBlock('(state)', () => decode(bytes, mcSeqno, columns));
  } catch (error) {
    columns.truncate(mark);
    throw error;
  }
}

function decode(bytes: Uint8Array, mcSeqno: number, columns: BaseColumns): StateCounts {
  const boc = parseBoc(bytes);
  const root = onlyRoot(boc);
  if (!isComplete(boc, root))
    throw new Contradiction('kind', 'the state is not whole: it has pruned branches');
  const hashes = new CellHashes(boc);
  hashes.computeAll();
  const state = loadWholeCell(boc, root, 'ShardStateUnsplit', loadShardStateUnsplit);
  const { workchain } = state.shard;
  let accounts = 0;
  forEachShardAccount(boc, state.accounts, (address, shardAccount) => {
    const { account: cell, lastTransHash, lastTransLt: lt } = shardAccount;
    const key: StateKey = { mcSeqno, workchain, address, lt, now: 0, lastTransHash, origin: 'state' };
    const account = readAccount(boc, cell);
    const fields = account
      ? stateFields(hashes, cell, account, account.balance.extra ?? NO_CURRENCIES)
      : bareState(hashes.hash(cell, 0), 'nonexist', 0n);
    writeStateRow(columns, key, fields, NO_PREVIOUS_STATE);
    writeCellRow(columns, key, hashes, cell);
    accounts++;
  });
  return { ...getHead(state), rootHash: hashes.hash(root), accounts };
}

function getHead(state: ShardStateUnsplit): Omit<StateCounts, 'rootHash' | 'accounts'> {
  const { globalId, genUtime, genLt, seqno } = state;
  const { workchain, shard } = state.shard;
  const mcSeqno = workchain === -1 ? seqno : (state.totals?.masterRef?.seqno ?? null);
  return { workchain, shard, seqno, globalId, genUtime, genLt, mcSeqno };
}
