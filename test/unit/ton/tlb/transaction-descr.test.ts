import {
  beginCell,
  type Transaction as CoreTransaction,
  Dictionary,
  storeSplitMergeInfo,
  storeTransaction,
  storeTransactionActionPhase,
  storeTransactionComputePhase,
  storeTransactionCreditPhase,
  storeTransactionDescription,
  storeTransactionsStoragePhase,
  type TransactionDescription,
} from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import {
  loadTransactionDescr,
  type TransactionDescr,
} from '../../../../src/ton/tlb/transaction/transaction-descr.ts';
import { bits, hexBytes, made, sliceOf } from './cells.ts';

const STORAGE = { storageFeesCollected: 7n, storageFeesDue: 9n, statusChange: 'frozen' } as const;
const CREDIT = { dueFeesColelcted: 5n, credit: { coins: 11n } } as const;
const ACTION = {
  success: false,
  valid: true,
  noFunds: true,
  statusChange: 'deleted',
  totalFwdFees: 1n,
  totalActionFees: null,
  resultCode: -37,
  resultArg: -2,
  totalActions: 4,
  specActions: 1,
  skippedActions: 2,
  messagesCreated: 1,
  actionListHash: BigInt(`0x${hexBytes(0xab)}`),
  totalMessageSize: { cells: 3n, bits: 1000n },
} as const;
const VM = {
  type: 'vm',
  success: true,
  messageStateUsed: true,
  accountActivated: false,
  gasFees: 100n,
  gasUsed: 50n,
  gasLimit: 1_000_000n,
  gasCredit: 10_000n,
  mode: 5,
  exitCode: -14,
  exitArg: -5,
  vmSteps: 77,
  vmInitStateHash: BigInt(`0x${hexBytes(1)}`),
  vmFinalStateHash: BigInt(`0x${hexBytes(2)}`),
} as const;
const SPLIT_INFO = {
  currentShardPrefixLength: 5,
  accountSplitDepth: 33,
  thisAddress: BigInt(`0x${hexBytes(3)}`),
  siblingAddress: BigInt(`0x${hexBytes(4)}`),
} as const;

const OUR_STORAGE = { feesCollected: 7n, feesDue: 9n, statusChange: 'frozen' };
const OUR_CREDIT = { dueFeesCollected: 5n, credit: { grams: 11n, extra: [], extraRoot: -1 } };
const OUR_VM = {
  kind: 'vm',
  success: true,
  msgStateUsed: true,
  accountActivated: false,
  gasFees: 100n,
  gasUsed: 50n,
  gasLimit: 1_000_000n,
  gasCredit: 10_000,
  mode: 5,
  exitCode: -14,
  exitArg: -5,
  vmSteps: 77,
  vmInitStateHash: Uint8Array.fromHex(hexBytes(1)),
  vmFinalStateHash: Uint8Array.fromHex(hexBytes(2)),
};
const OUR_ACTION = {
  success: false,
  valid: true,
  noFunds: true,
  statusChange: 'deleted',
  totalFwdFees: 1n,
  totalActionFees: null,
  resultCode: -37,
  resultArg: -2,
  totActions: 4,
  specActions: 1,
  skippedActions: 2,
  msgsCreated: 1,
  actionListHash: Uint8Array.fromHex(hexBytes(0xab)),
  totMsgSize: { cells: 3n, bits: 1000n },
};
const OUR_SPLIT_INFO = {
  curShardPfxLen: 5,
  accSplitDepth: 33,
  thisAddr: Uint8Array.fromHex(hexBytes(3)),
  siblingAddr: Uint8Array.fromHex(hexBytes(4)),
};

const NOTHING: Omit<TransactionDescr, 'kind'> = {
  creditFirst: false,
  isTock: false,
  installed: false,
  aborted: false,
  destroyed: false,
  storage: null,
  credit: null,
  compute: null,
  action: null,
  bounce: null,
  splitInfo: null,
  prepareTransaction: -1,
};

const PREPARED: CoreTransaction = {
  address: 1n,
  lt: 2n,
  prevTransactionHash: 3n,
  prevTransactionLt: 1n,
  now: 5,
  outMessagesCount: 0,
  oldStatus: 'active',
  endStatus: 'active',
  inMessage: null,
  outMessages: Dictionary.empty(),
  totalFees: { coins: 0n },
  stateUpdate: { oldHash: Buffer.alloc(32, 1), newHash: Buffer.alloc(32, 2) },
  description: { type: 'storage', storagePhase: STORAGE },
  raw: beginCell().endCell(),
  hash: () => Buffer.alloc(32),
};

function load(description: TransactionDescription): TransactionDescr {
  const slice = sliceOf(beginCell().store(storeTransactionDescription(description)).endCell());
  const read = loadTransactionDescr(slice);
  slice.end('TransactionDescr');
  return read;
}

describe('TransactionDescr', () => {
  it('trans_ord with all phases', () => {
    const bouncePhase = {
      type: 'no-funds',
      messageSize: { cells: 1n, bits: 2n },
      requiredForwardFees: 3n,
    } as const;
    const read = load({
      type: 'generic',
      creditFirst: true,
      storagePhase: STORAGE,
      creditPhase: CREDIT,
      computePhase: VM,
      actionPhase: ACTION,
      bouncePhase,
      aborted: true,
      destroyed: true,
    });
    expect(read).toEqual({
      ...NOTHING,
      kind: 'ord',
      creditFirst: true,
      storage: OUR_STORAGE,
      credit: OUR_CREDIT,
      compute: OUR_VM,
      action: OUR_ACTION,
      bounce: { kind: 'nofunds', msgSize: { cells: 1n, bits: 2n }, reqFwdFees: 3n },
      aborted: true,
      destroyed: true,
    });
  });

  it.each([
    [
      { type: 'ok', messageSize: { cells: 1n, bits: 2n }, messageFees: 3n, forwardFees: 4n },
      { kind: 'ok', msgSize: { cells: 1n, bits: 2n }, msgFees: 3n, fwdFees: 4n },
    ],
    [{ type: 'negative-funds' }, { kind: 'negfunds' }],
  ] as const)('trans_ord with nothing but compute skipped and bounce %o', (bouncePhase, bounce) => {
    const computePhase = { type: 'skipped', reason: 'no-gas' } as const;
    const flags = { creditFirst: false, aborted: false, destroyed: false };
    const read = load({ type: 'generic', ...flags, computePhase, bouncePhase });
    expect(read).toEqual({ ...NOTHING, kind: 'ord', compute: { kind: 'skipped', reason: 'no_gas' }, bounce });
  });

  it('trans_storage', () => {
    expect(load({ type: 'storage', storagePhase: STORAGE })).toEqual({
      ...NOTHING,
      kind: 'storage',
      storage: OUR_STORAGE,
    });
  });

  it('trans_tick_tock', () => {
    const read = load({
      type: 'tick-tock',
      isTock: true,
      storagePhase: STORAGE,
      computePhase: VM,
      actionPhase: ACTION,
      aborted: false,
      destroyed: true,
    });
    const phases = { storage: OUR_STORAGE, compute: OUR_VM, action: OUR_ACTION };
    expect(read).toEqual({ ...NOTHING, kind: 'tick_tock', isTock: true, ...phases, destroyed: true });
  });

  it('trans_split_prepare', () => {
    const read = load({
      type: 'split-prepare',
      splitInfo: SPLIT_INFO,
      storagePhase: STORAGE,
      computePhase: VM,
      actionPhase: null,
      aborted: true,
      destroyed: false,
    });
    const expected = { splitInfo: OUR_SPLIT_INFO, storage: OUR_STORAGE, compute: OUR_VM, aborted: true };
    expect(read).toEqual({ ...NOTHING, kind: 'split_prepare', ...expected });
  });

  it('trans_split_install', () => {
    const read = load({
      type: 'split-install',
      splitInfo: SPLIT_INFO,
      prepareTransaction: PREPARED,
      installed: true,
    });
    const expected = { splitInfo: OUR_SPLIT_INFO, prepareTransaction: 1, installed: true };
    expect(read).toEqual({ ...NOTHING, kind: 'split_install', ...expected });
  });

  // @ton/core has no writer for the two descriptions of a merge.
  it('trans_merge_prepare', () => {
    const slice = made((builder) => {
      builder.storeUint(0b0110, 4).store(storeSplitMergeInfo(SPLIT_INFO));
      builder.store(storeTransactionsStoragePhase(STORAGE)).storeBit(true);
    });
    const expected = { splitInfo: OUR_SPLIT_INFO, storage: OUR_STORAGE, aborted: true };
    expect(loadTransactionDescr(slice)).toEqual({ ...NOTHING, kind: 'merge_prepare', ...expected });
    slice.end('TransactionDescr');
  });

  it('trans_merge_install', () => {
    const prepared = beginCell().store(storeTransaction(PREPARED)).endCell();
    const slice = made((builder) => {
      builder.storeUint(0b0111, 4).store(storeSplitMergeInfo(SPLIT_INFO)).storeRef(prepared);
      builder.storeBit(false).storeBit(true).store(storeTransactionCreditPhase(CREDIT));
      builder.store(storeTransactionComputePhase(VM)).storeBit(true);
      builder.storeRef(beginCell().store(storeTransactionActionPhase(ACTION)));
      builder.storeBit(false).storeBit(true);
    });
    const read = loadTransactionDescr(slice);
    slice.end('TransactionDescr');
    const phases = { credit: OUR_CREDIT, compute: OUR_VM, action: OUR_ACTION };
    const expected = { splitInfo: OUR_SPLIT_INFO, ...phases, destroyed: true };
    const { prepareTransaction } = read;
    expect(read).toEqual({ ...NOTHING, kind: 'merge_install', ...expected, prepareTransaction });
    expect(new CellHashes(slice.boc).hash(prepareTransaction)).toEqual(new Uint8Array(prepared.hash()));
  });

  it.each([
    ['no_state', '00'],
    ['bad_state', '01'],
    ['no_gas', '10'],
    ['suspended', '110'],
  ])('compute skipped: %s', (reason, tag) => {
    // trans_ord, credit_first, no storage, no credit, skipped, reason, no action, aborted, no bounce, not destroyed
    const slice = bits(`0000 0 0 0 0 ${tag} 0 1 0 0`);
    expect(loadTransactionDescr(slice).compute).toEqual({ kind: 'skipped', reason });
    slice.end('TransactionDescr');
  });

  it.each([
    ['an unknown description', '100'],
    ['an unknown skip reason', '0000 0 0 0 0 111 0 1 0 0'],
  ])('refuses %s', (_what, text) => {
    expect(() => loadTransactionDescr(bits(text))).toThrow(
      expect.objectContaining({ name: 'CellError', code: 'tag' }),
    );
  });
});
