import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder, cellWith } from '../../ton/cell/cell-builder.ts';
import { makeUpdate, settle } from '../../ton/cell/make-update.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { addMoney, grams, type Money, moneyText, NO_MONEY, sameMoney } from '../../ton/currencies/money.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { storeBlockInfo } from '../../ton/store/store-block-info.ts';
import { type NewValueFlow, storeValueFlow } from '../../ton/store/store-value-flow.ts';
import type { ExtBlkRef } from '../../ton/tlb/ext-blk-ref.ts';
import type { GlobalVersion } from '../../ton/tlb/global-version.ts';
import { type LedgerFacts, type ShardLedger, shardText, stateCell } from '../ledger/shard-ledger.ts';
import { LocalnetError } from '../localnet-error.ts';
import type { BlockGroup } from '../validator/validator-group.ts';
import type { BlockDraft, MessageLink } from './block-draft.ts';
import { accountBlocks } from './descriptors.ts';
import type { Unexecuted } from './unexecuted.ts';

/** Parts of a block in addition to its transactions. */
export interface BlockFrame {
  readonly utime: number;
  readonly randomSeed: Uint8Array;
  readonly createdBy: Uint8Array;
  readonly version: GlobalVersion;
  /** The masterchain block that a shard block refers to; null in the masterchain. */
  readonly masterRef: ExtBlkRef | null;
  readonly prevKeyBlockSeqno: number;
  /** Validators of a masterchain block; null for a shard block, and in a chain without validators. */
  readonly group: BlockGroup | null;
  readonly beforeSplit: boolean;
  readonly afterSplit: boolean;
  /** Amount that the block creates. */
  readonly created: bigint;
  readonly masterchain: MasterchainFrame | null;
}

/** Parts that only a masterchain block has. */
export interface MasterchainFrame {
  readonly isKey: boolean;
  readonly feesImported: Money;
  /** Burned of all fees. */
  readonly burned: bigint;
  readonly libraries: ShardLedger['libraries'];
  /** McStateExtra and McBlockExtra. */
  readonly stateExtra: Cell;
  readonly blockExtra: Cell;
}

/** A finished block, and the ledger after it. */
export interface FinishedBlock {
  /** The whole block. */
  readonly root: Cell;
  readonly boc: Uint8Array;
  readonly ledger: ShardLedger;
  readonly startLt: bigint;
  readonly feesCollected: Money;
  readonly created: Money;
  /** Added to the chain by interventions. */
  readonly minted: Money;
  readonly transactions: number;
  /** Gas of the transactions. */
  readonly gas: number;
  /** In the order of their execution. */
  readonly links: readonly MessageLink[];
  /** Messages that the executor failed on. */
  readonly unexecuted: readonly Unexecuted[];
}

/** Puts a draft together: value flow, new state, update, the block itself. @throws LocalnetError the sums differ */
export function finishBlock(draft: BlockDraft, frame: BlockFrame): FinishedBlock {
  const { ledger } = draft;
  const blocks = accountBlocks(draft.records.values());
  const flow = valueFlow(draft, frame, blocks.extra());
  checkFlow(draft, flow);
  const { masterchain, masterRef, utime } = frame;
  const facts: LedgerFacts = {
    ident: ledger.ident,
    globalId: ledger.globalId,
    seqno: ledger.block.seqno + 1,
    utime,
    endLt: draft.endLt,
    minRefMcSeqno: masterRef?.seqno ?? ledger.block.seqno,
    beforeSplit: frame.beforeSplit,
    accounts: draft.run.accounts,
    queue: draft.queue,
    processed: draft.processed,
    validatorFees: addMoney(ledger.validatorFees, flow.feesCollected),
    libraries: masterchain?.libraries ?? ledger.libraries,
    masterRef,
    custom: masterchain?.stateExtra ?? null,
  };
  const state = stateCell(facts);
  const update = makeUpdate(ledger.state, state);
  const extra = new CellBuilder().uint(0x4a33f6fd, 32);
  for (const dict of [draft.inMsgs, draft.outMsgs, blocks]) {
    const part = new CellBuilder();
    dict.store(part);
    extra.ref(part.cell());
  }
  extra
    .bytes(frame.randomSeed)
    .bytes(frame.createdBy)
    .maybeRef(masterchain?.blockExtra ?? null);
  const block = new CellBuilder().uint(0x11ef55aa, 32).int(ledger.globalId, 32);
  block.ref(cellWith(storeBlockInfo, blockInfo(draft, facts, frame))).ref(cellWith(storeValueFlow, flow));
  const root = block.ref(update).ref(extra.cell()).cell();
  const boc = writeBag(root);
  settle(state);
  const { seqno, endLt } = facts;
  const ref: ExtBlkRef = { endLt, seqno, rootHash: root.hash(), fileHash: sha256(boc) };
  return {
    root,
    boc,
    ledger: { ...facts, state, block: ref },
    startLt: draft.startLt,
    feesCollected: flow.feesCollected,
    created: grams(frame.created),
    minted: grams(draft.minted),
    transactions: draft.transactions,
    gas: draft.gas,
    links: draft.links,
    unexecuted: draft.run.unexecuted,
  };
}

/** What a shard block brings into the chain: the masterchain adds it to the balance of all accounts. */
export function broughtBy({ created, minted }: FinishedBlock): Money {
  return addMoney(created, minted);
}

function valueFlow(draft: BlockDraft, frame: BlockFrame, fees: Money): NewValueFlow {
  const { masterchain } = frame;
  const imported = draft.inMsgs.extra();
  const feesImported = masterchain?.feesImported ?? NO_MONEY;
  const burned = grams(masterchain?.burned ?? 0n);
  const all = addMoney(fees, grams(imported.fees + frame.created), feesImported);
  return {
    fromPrevBlk: draft.ledger.accounts.extra(),
    toNextBlk: draft.run.accounts.extra(),
    imported: imported.value,
    exported: draft.outMsgs.extra(),
    feesCollected: { ...all, grams: all.grams - burned.grams },
    burned,
    feesImported,
    recovered: NO_MONEY,
    created: grams(frame.created),
    minted: grams(draft.minted),
  };
}

/** Checks that no value is lost or made: an invalid block must not be written. */
function checkFlow({ ledger }: BlockDraft, flow: NewValueFlow): void {
  const { fromPrevBlk, imported, feesImported, recovered, created, minted } = flow;
  const { toNextBlk, exported, feesCollected, burned } = flow;
  const sources = addMoney(fromPrevBlk, imported, feesImported, recovered, created, minted);
  const sinks = addMoney(toNextBlk, exported, feesCollected, burned);
  if (!sameMoney(sources, sinks))
    throw new LocalnetError(`value flow of ${shardText(ledger.ident)}`, moneyText(sources), moneyText(sinks));
}

function blockInfo({ ledger, startLt }: BlockDraft, facts: LedgerFacts, frame: BlockFrame) {
  return {
    version: 0,
    notMaster: frame.masterchain === null,
    beforeSplit: frame.beforeSplit,
    afterSplit: frame.afterSplit,
    wantSplit: false,
    wantMerge: false,
    keyBlock: frame.masterchain?.isKey ?? false,
    seqno: facts.seqno,
    vertSeqno: 0,
    shard: facts.ident,
    genUtime: facts.utime,
    startLt,
    endLt: facts.endLt,
    genValidatorListHashShort: frame.group?.genValidatorListHashShort ?? 0,
    genCatchainSeqno: frame.group?.genCatchainSeqno ?? 0,
    minRefMcSeqno: facts.minRefMcSeqno,
    prevKeyBlockSeqno: frame.prevKeyBlockSeqno,
    genSoftware: frame.version,
    masterRef: frame.masterRef,
    prevRefs: [ledger.block],
  };
}
