import { CellSlice } from '../../../src/ton/boc/cell-slice.ts';
import { PRUNED } from '../../../src/ton/boc/cell-type.ts';
import type { Money } from '../../../src/ton/currencies/money.ts';
import { toHex } from '../../../src/ton/hash/hex.ts';
import { loadAccount } from '../../../src/ton/tlb/account/account.ts';
import { loadShardAccount } from '../../../src/ton/tlb/account/shard-account.ts';
import { loadShardState, type ShardStateUnsplit } from '../../../src/ton/tlb/block/shard-state.ts';
import { loadMessage } from '../../../src/ton/tlb/message/message.ts';
import { loadMsgEnvelope } from '../../../src/ton/tlb/message/msg-envelope.ts';
import { loadWholeCell } from '../../../src/ton/tlb/whole-cell.ts';
import { DEPTH_BALANCE, type DepthBalance, LOWEST_LT } from './extra-rules.ts';
import type { ValidatedBlock } from './validated-block.ts';
import { walkAugmentedE } from './walk-augmented.ts';

/** An account as one side of the update shows it. */
export interface SideAccount {
  readonly hash: Uint8Array;
  readonly lastTransHash: Uint8Array;
  readonly lastTransLt: bigint;
  readonly balance: Money;
}

/** All addresses that begin with the first `bits` bits of `prefix`. */
export interface HiddenPrefix {
  readonly prefix: Uint8Array;
  readonly bits: number;
}

/** One state of a side (two after a split or before a merge). */
export interface SideState {
  readonly state: ShardStateUnsplit;
  /** Null if the dictionary is pruned. */
  readonly total: Money | null;
  readonly accounts: ReadonlyMap<string, SideAccount>;
  /** Prefixes of addresses that the side hides. */
  readonly hidden: readonly HiddenPrefix[];
  /** Keys of the outbound queue that the side shows. */
  readonly queue: ReadonlySet<string>;
}

/** Checks the shown part of the dictionaries of one side of the state update. */
export function readSide(block: ValidatedBlock, cell: number, name: 'old' | 'new'): SideState[] {
  return loadShardState(block.boc, cell).map((state) => {
    const accounts = new Map<string, SideAccount>();
    const hidden: HiddenPrefix[] = [];
    const total = checkAccounts(block, state, name, accounts, hidden);
    return { state, total, accounts, hidden, queue: checkQueue(block, state, name) };
  });
}

function checkAccounts(
  block: ValidatedBlock,
  state: ShardStateUnsplit,
  name: string,
  accounts: Map<string, SideAccount>,
  hidden: HiddenPrefix[],
): Money | null {
  const { boc, hashes, findings } = block;
  const pruned = (prefix: Uint8Array, bits: number) => hidden.push({ prefix, bits });
  if (boc.type[state.accounts] === PRUNED) {
    pruned(new Uint8Array(32), 0);
    return null;
  }
  const slice = new CellSlice(boc, state.accounts);
  const leaf = (key: Uint8Array, value: CellSlice, extra: DepthBalance) => {
    const { account, lastTransHash, lastTransLt } = loadShardAccount(value);
    const hash = hashes.hash(account, 0);
    accounts.set(toHex(key), { hash, lastTransHash, lastTransLt, balance: extra.balance });
    return expectedExtra(block, account, extra);
  };
  const dict = { what: `${name} ShardAccounts`, keyBits: 256, rules: DEPTH_BALANCE, leaf, pruned };
  const { balance } = walkAugmentedE(slice, dict, findings);
  slice.end('ShardAccounts');
  return balance;
}

/** The depth is the account's own, or 0 since that field became a fixed prefix length. */
function expectedExtra({ boc }: ValidatedBlock, cell: number, { depth }: DepthBalance): DepthBalance | null {
  if (boc.type[cell] === PRUNED) return null;
  const account = loadWholeCell(boc, cell, 'Account', loadAccount);
  if (!account) return DEPTH_BALANCE.empty;
  const own = account.state.status === 'active' ? (account.state.init.splitDepth ?? 0) : 0;
  return { depth: depth === 0 ? 0 : own, balance: account.balance };
}

// _ out_queue:OutMsgQueue proc_info:ProcessedInfo extra:(Maybe OutMsgQueueExtra) = OutMsgQueueInfo;
// _ (HashmapAugE 352 EnqueuedMsg uint64) = OutMsgQueue;
// _ enqueued_lt:uint64 out_msg:^MsgEnvelope = EnqueuedMsg;
function checkQueue(
  block: ValidatedBlock,
  { outMsgQueueInfo }: ShardStateUnsplit,
  name: string,
): Set<string> {
  const { boc, findings, hashes } = block;
  const shown = new Set<string>();
  if (boc.type[outMsgQueueInfo] === PRUNED) return shown;
  const leaf = (key: Uint8Array, value: CellSlice) => {
    shown.add(toHex(key));
    value.u64();
    const cell = value.ref();
    if (boc.type[cell] === PRUNED) return null;
    const { msg, emittedLt } = loadWholeCell(boc, cell, 'MsgEnvelope', loadMsgEnvelope);
    if (boc.type[msg] === PRUNED) return emittedLt;
    findings.equal('queue key', key, toHex(key.subarray(12)), toHex(hashes.hash(msg, 0)));
    const { info } = loadWholeCell(boc, msg, 'Message', loadMessage);
    return emittedLt ?? (info.kind === 'internal' ? info.createdLt : null);
  };
  const dict = { what: `${name} OutMsgQueue`, keyBits: 352, rules: LOWEST_LT, leaf };
  walkAugmentedE(new CellSlice(boc, outMsgQueueInfo), dict, findings);
  return shown;
}
