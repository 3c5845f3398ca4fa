import { MERKLE_PROOF, PRUNED } from '../../../src/ton/boc/cell-type.ts';
import { firstDifference, numberKey } from '../../../src/ton/cell/key-bits.ts';
import { addMoney, type Money, moneyText, NO_MONEY, sameMoney } from '../../../src/ton/currencies/money.ts';
import type { AccountChanges } from './account-rules.ts';
import { type HiddenPrefix, readSide, type SideAccount, type SideState } from './state-sides.ts';
import type { ValidatedBlock } from './validated-block.ts';

/** Hash of `account_none$0`, a cell of one 0 bit. */
const NONE_HASH = '90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4';

/** Checks the state update: its proof, both states' heads, and that accounts changed as their transactions state. */
export function checkStates(block: ValidatedBlock, changes: AccountChanges): void {
  const { update, findings } = block;
  checkPruned(block);
  const before = readSide(block, update.old, 'old');
  const after = readSide(block, update.new, 'new');
  if (after.length === 1) checkHead(block, after[0]!);
  checkTotals(block, before, after);
  const [old, next] = [new SideAccounts(before), new SideAccounts(after)];
  for (const change of changes.changes.values()) {
    const { address, oldHash, newHash, transactions } = change;
    const [first, last] = [transactions[0]!, transactions.at(-1)!];
    const [was, is] = [old.get(address), next.get(address)];
    if (was) {
      findings.equal('account before', address, was.hash, oldHash);
      findings.equal('last transaction before', address, was.lastTransHash, first.prevTransHash);
      findings.equal('last lt before', address, was.lastTransLt, first.prevTransLt);
    } else if (!old.hides(address)) findings.equal('account before', address, NONE_HASH, oldHash);
    if (is) {
      findings.equal('account after', address, is.hash, newHash);
      findings.equal('last transaction after', address, last.hash, is.lastTransHash);
      findings.equal('last lt after', address, last.lt, is.lastTransLt);
    } else if (!next.hides(address)) findings.equal('account after', address, NONE_HASH, newHash);
  }
  checkUntouched(block, changes, old, next);
}

/** Every pruned branch of the new side refers to a cell that the old side shows or prunes. */
function checkPruned({ boc, hashes, update, findings }: ValidatedBlock): void {
  const known = new Set<string>();
  for (const cell of cellsBelow(update.old)) known.add(hashes.hash(cell, 0).toHex());
  for (const cell of cellsBelow(update.new)) {
    if (boc.type[cell] !== PRUNED) continue;
    const hash = hashes.hash(cell, 0).toHex();
    findings.holds('pruned cell of the old state', hash, known.has(hash));
  }

  function cellsBelow(root: number): Set<number> {
    const seen = new Set([root]);
    for (const cell of seen) {
      // Cells below another Merkle cell are not part of this tree's levels.
      if (boc.type[cell]! >= MERKLE_PROOF) continue;
      for (let k = 0; k < boc.refCount[cell]!; k++) seen.add(boc.refs[cell * 4 + k]!);
    }
    return seen;
  }
}

function checkHead({ block, info, findings }: ValidatedBlock, { state }: SideState): void {
  findings.equal('state global_id', 'state', block.globalId, state.globalId);
  findings.equal('state workchain', 'state', info.shard.workchain, state.shard.workchain);
  findings.equal('state shard', 'state', info.shard.shard, state.shard.shard);
  findings.equal('state seq_no', 'state', info.seqno, state.seqno);
  findings.equal('state vert_seq_no', 'state', info.vertSeqno, state.vertSeqno);
  findings.equal('state gen_utime', 'state', info.genUtime, state.genUtime);
  findings.equal('state gen_lt', 'state', info.endLt, state.genLt);
  findings.equal('state before_split', 'state', info.beforeSplit, state.beforeSplit);
  findings.equal('state min_ref_mc_seqno', 'state', info.minRefMcSeqno, state.minRefMcSeqno);
  const referred = state.totals?.masterRef?.seqno ?? null;
  if (state.totals) findings.equal('state master_ref', 'state', info.masterRef?.seqno ?? null, referred);
}

function checkTotals(
  { flow, info, findings }: ValidatedBlock,
  before: SideState[],
  after: SideState[],
): void {
  const next = after.length === 1 ? after[0]! : null;
  if (next?.total) money('to_next_blk', next.total, flow.toNextBlk);
  if (next?.state.totals) money('total_balance', flow.toNextBlk, next.state.totals.totalBalance);
  // After a split the previous state covers both halves.
  if (info.afterSplit || before.some(({ total }) => total === null)) return;
  money(
    'from_prev_blk',
    before.map(({ total }) => total ?? NO_MONEY).reduce((a, b) => addMoney(a, b), NO_MONEY),
    flow.fromPrevBlk,
  );

  function money(rule: string, expected: Money, found: Money): void {
    if (sameMoney(expected, found)) findings.holds(rule, 'block', true);
    else findings.equal(rule, 'block', moneyText(expected), moneyText(found));
  }
}

/** The accounts of one side. */
class SideAccounts {
  readonly shown: ReadonlyMap<string, SideAccount>;
  private readonly hidden: readonly HiddenPrefix[];

  constructor(states: readonly SideState[]) {
    this.shown = new Map(states.flatMap(({ accounts }) => [...accounts]));
    this.hidden = states.flatMap(({ hidden }) => hidden);
  }

  get(address: string): SideAccount | undefined {
    return this.shown.get(address);
  }

  /** Whether the account may be there without being shown. */
  hides(address: string): boolean {
    const key = Uint8Array.fromHex(address);
    return this.hidden.some(({ prefix, bits }) => firstDifference(prefix, key, 0, bits) === bits);
  }
}

/** Accounts without a transaction do not change, and all are in the block's shard: a split omits the others. */
function checkUntouched(
  { findings, info }: ValidatedBlock,
  { changes }: AccountChanges,
  old: SideAccounts,
  next: SideAccounts,
): void {
  const prefix = numberKey(info.shard.shard, 64);
  const isOwn = (address: string) =>
    firstDifference(prefix, Uint8Array.fromHex(address), 0, info.shard.prefixBits) === info.shard.prefixBits;
  for (const [address, { hash, lastTransHash }] of next.shown) {
    findings.holds('account of the shard', address, isOwn(address));
    const was = old.get(address);
    if (changes.has(address) || (!was && old.hides(address))) continue;
    findings.equal('account without transaction', address, was?.hash ?? 'absent', hash);
    findings.equal('account without transaction', address, was?.lastTransHash ?? 'absent', lastTransHash);
  }
  for (const address of old.shown.keys()) {
    if (changes.has(address) || next.hides(address) || !isOwn(address)) continue;
    findings.holds('account without transaction', address, next.shown.has(address), 'gone');
  }
}
