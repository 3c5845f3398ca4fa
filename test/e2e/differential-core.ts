/** Rows that we ought to write, from what @ton/core reads from a block. Bytes are hex. */
import {
  type AccountStatus,
  beginCell,
  Cell,
  type CommonMessageInfo,
  type CurrencyCollection,
  Dictionary,
  loadMessage,
  loadTransaction,
  type Message,
  type Slice,
  type StorageUsed,
  storeMessage,
  storeStateInit,
  type Transaction,
  type TransactionComputePhase,
  type TransactionDescription,
} from '@ton/core';

export type PlainRow = Record<string, unknown>;

const NO_HASH = '00'.repeat(32);
const hex256 = (value: bigint) => value.toString(16).padStart(64, '0');
const hexOf = (cell: Cell) => cell.hash().toString('hex');
const bocOf = (cell: Cell) => cell.toBoc({ idx: false, crc32: true }).toString('hex');

const plain = (value: unknown) => (value instanceof Uint8Array ? value.toHex() : value);

/** A row with its bytes as hex, without the columns named in `without`. */
export function plainRow(row: object, without: readonly string[]): PlainRow {
  const entries = Object.entries(row).filter(([name]) => !without.includes(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, plain(value)]));
}

/** The leaves of a `HashmapAug` whose root edge starts at the slice; the result starts at each leaf's extra. */
function leavesOfAug(slice: Slice, keyBits: number): Slice[] {
  const rest = keyBits - skipLabel(slice, keyBits);
  if (rest === 0) return [slice];
  const [left, right] = [slice.loadRef(), slice.loadRef()];
  return [...leavesOfAug(left.beginParse(), rest - 1), ...leavesOfAug(right.beginParse(), rest - 1)];
}

function skipLabel(slice: Slice, max: number): number {
  const width = max.toString(2).length * (max > 0 ? 1 : 0);
  if (!slice.loadBit()) {
    let length = 0;
    while (slice.loadBit()) length++;
    slice.skip(length);
    return length;
  }
  if (!slice.loadBit()) {
    const length = slice.loadUint(width);
    slice.skip(length);
    return length;
  }
  slice.skip(1);
  return slice.loadUint(width);
}

function skipCurrencies(slice: Slice): void {
  slice.loadCoins();
  slice.loadMaybeRef();
}

/** The cells of all transactions of a block, accounts by address, each account's by the order of its dictionary. */
export function transactionCells(bytes: Uint8Array): Cell[] {
  const root = Cell.fromBoc(Buffer.from(bytes))[0] as Cell;
  const extra = root.refs[3] as Cell;
  const accountBlocks = (extra.refs[2] as Cell).beginParse().loadMaybeRef();
  if (!accountBlocks) return [];
  return leavesOfAug(accountBlocks.beginParse(), 256).flatMap((account) => {
    skipCurrencies(account);
    account.skip(4 + 256);
    return leavesOfAug(account, 64).map((leaf) => {
      skipCurrencies(leaf);
      return leaf.loadRef();
    });
  });
}

const STATUS = { uninitialized: 'uninit', frozen: 'frozen', active: 'active', 'non-existing': 'nonexist' };
const KINDS = {
  generic: 'ord',
  storage: 'storage',
  'tick-tock': 'tick_tock',
  'split-prepare': 'split_prepare',
  'split-install': 'split_install',
  'merge-prepare': 'merge_prepare',
  'merge-install': 'merge_install',
};

const statusOf = (status: AccountStatus) => STATUS[status];

function extraOf(value: CurrencyCollection | undefined): [number, bigint][] {
  const entries = [...(value?.other ?? Dictionary.empty<number, bigint>())] as [number, bigint][];
  return entries.sort(([a], [b]) => a - b);
}

/** The row of `transactions` without the block's own columns and the message pack. */
export function coreTransactionRow(cell: Cell): PlainRow {
  const tx: Transaction = loadTransaction(cell.beginParse());
  const { description } = tx;
  return {
    account: hex256(tx.address),
    lt: tx.lt,
    hash: hexOf(cell),
    prev_trans_hash: hex256(tx.prevTransactionHash),
    prev_trans_lt: tx.prevTransactionLt,
    now: tx.now,
    orig_status: statusOf(tx.oldStatus),
    end_status: statusOf(tx.endStatus),
    total_fees: tx.totalFees.coins,
    total_fees_extra: extraOf(tx.totalFees),
    state_hash_before: tx.stateUpdate.oldHash.toString('hex'),
    state_hash_after: tx.stateUpdate.newHash.toString('hex'),
    type: KINDS[description.type],
    aborted: 'aborted' in description && description.aborted,
    destroyed: 'destroyed' in description && description.destroyed,
    credit_first: 'creditFirst' in description && description.creditFirst,
    is_tock: 'isTock' in description && description.isTock,
    installed: 'installed' in description && description.installed,
    ...storageAndCredit(description),
    ...computeColumns('computePhase' in description ? description.computePhase : null),
    ...actionColumns(description),
    ...bounceColumns(description),
    split_info: '',
    out_msg_count: tx.outMessagesCount,
  };
}

function storageAndCredit(description: TransactionDescription): PlainRow {
  const storage = 'storagePhase' in description ? description.storagePhase : null;
  const credit = 'creditPhase' in description ? description.creditPhase : null;
  return {
    storage_status_change: storage?.statusChange ?? 'none',
    storage_fees_collected: storage?.storageFeesCollected ?? 0n,
    storage_fees_due: storage?.storageFeesDue ?? null,
    has_credit: Boolean(credit),
    credit_due_fees_collected: credit?.dueFeesColelcted ?? null,
    credit: credit?.credit.coins ?? 0n,
    credit_extra: extraOf(credit?.credit),
  };
}

function computeColumns(phase: TransactionComputePhase | null): PlainRow {
  const vm = phase?.type === 'vm' ? phase : null;
  return {
    compute_type: phase?.type ?? 'none',
    compute_skip_reason: phase?.type === 'skipped' ? phase.reason.replace('-', '_') : 'none',
    compute_success: vm?.success ?? false,
    compute_msg_state_used: vm?.messageStateUsed ?? false,
    compute_account_activated: vm?.accountActivated ?? false,
    compute_gas_fees: vm?.gasFees ?? 0n,
    compute_gas_used: vm?.gasUsed ?? 0n,
    compute_gas_limit: vm?.gasLimit ?? 0n,
    compute_gas_credit: vm?.gasCredit === undefined || vm.gasCredit === null ? null : Number(vm.gasCredit),
    compute_mode: vm?.mode ?? 0,
    compute_exit_code: vm?.exitCode ?? 0,
    compute_exit_arg: vm?.exitArg ?? null,
    compute_vm_steps: vm?.vmSteps ?? 0,
    compute_vm_init_state_hash: hex256(vm?.vmInitStateHash ?? 0n),
    compute_vm_final_state_hash: hex256(vm?.vmFinalStateHash ?? 0n),
  };
}

function actionColumns(description: TransactionDescription): PlainRow {
  const action = 'actionPhase' in description ? description.actionPhase : null;
  return {
    has_action: Boolean(action),
    action_success: action?.success ?? false,
    action_valid: action?.valid ?? false,
    action_no_funds: action?.noFunds ?? false,
    action_status_change: action?.statusChange ?? 'none',
    action_total_fwd_fees: action?.totalFwdFees ?? null,
    action_total_action_fees: action?.totalActionFees ?? null,
    action_result_code: action?.resultCode ?? 0,
    action_result_arg: action?.resultArg ?? null,
    action_tot_actions: action?.totalActions ?? 0,
    action_spec_actions: action?.specActions ?? 0,
    action_skipped_actions: action?.skippedActions ?? 0,
    action_msgs_created: action?.messagesCreated ?? 0,
    action_list_hash: hex256(action?.actionListHash ?? 0n),
    action_tot_msg_cells: action?.totalMessageSize.cells ?? 0n,
    action_tot_msg_bits: action?.totalMessageSize.bits ?? 0n,
  };
}

function bounceColumns(description: TransactionDescription): PlainRow {
  const bounce = 'bouncePhase' in description ? description.bouncePhase : null;
  const types = { 'negative-funds': 'negfunds', 'no-funds': 'nofunds', ok: 'ok' };
  const size: StorageUsed | null = bounce && bounce.type !== 'negative-funds' ? bounce.messageSize : null;
  return {
    bounce_type: bounce ? types[bounce.type] : 'none',
    bounce_msg_cells: size?.cells ?? 0n,
    bounce_msg_bits: size?.bits ?? 0n,
    bounce_req_fwd_fees: bounce?.type === 'no-funds' ? bounce.requiredForwardFees : 0n,
    bounce_msg_fees: bounce?.type === 'ok' ? bounce.messageFees : 0n,
    bounce_fwd_fees: bounce?.type === 'ok' ? bounce.forwardFees : 0n,
  };
}

/** The rows of `messages` of one transaction, the incoming one first, without mc_seqno and the transaction's columns. */
export function coreMessageRows(transaction: Cell, softwareVersion: number): PlainRow[] {
  const refs = (transaction.refs[0] as Cell).beginParse();
  const incoming = refs.loadMaybeRef();
  const out = refs.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  const rows = incoming ? [{ side: 'in', ...coreMessageRow(incoming, softwareVersion) }] : [];
  const keys = out.keys().sort((a, b) => a - b);
  return [
    ...rows,
    ...keys.map((key) => ({ side: 'out', ...coreMessageRow(out.get(key) as Cell, softwareVersion) })),
  ];
}

const MESSAGE_KINDS = { internal: 'internal', 'external-in': 'ext_in', 'external-out': 'ext_out' };

function coreMessageRow(cell: Cell, softwareVersion: number): PlainRow {
  const message: Message = loadMessage(cell.beginParse());
  const { info, body, init } = message;
  const initCell = init ? beginCell().store(storeStateInit(init)).endCell() : null;
  const bits = body.beginParse();
  return {
    kind: MESSAGE_KINDS[info.type],
    hash: hexOf(cell),
    hash_norm: info.type === 'external-in' ? normalised(message) : hexOf(cell),
    ...addressColumns('source', info.src),
    ...addressColumns('destination', info.dest),
    ...infoColumns(info, softwareVersion),
    opcode: bits.remainingBits < 32 ? null : bits.preloadUint(32),
    body_hash: hexOf(body),
    body: bocOf(body),
    init_hash: initCell ? hexOf(initCell) : NO_HASH,
    init: initCell ? bocOf(initCell) : '',
  };
}

/** TEP-467 by means of @ton/core's own writer. */
function normalised(message: Message): string {
  if (message.info.type !== 'external-in') throw new TypeError('only external-in messages are normalised');
  const info = { type: 'external-in', src: null, dest: message.info.dest, importFee: 0n } as const;
  const cell = beginCell()
    .store(storeMessage({ info, init: null, body: message.body }, { forceRef: true }))
    .endCell();
  return hexOf(cell);
}

function addressColumns(
  side: string,
  address: CommonMessageInfo['src'] | CommonMessageInfo['dest'],
): PlainRow {
  const std = address && 'hash' in address ? address : null;
  return {
    [`${side}_kind`]: std ? 'std' : address ? 'extern' : 'none',
    [`${side}_workchain`]: std?.workChain ?? 0,
    [side]: std ? std.hash.toString('hex') : NO_HASH,
  };
}

function infoColumns(info: CommonMessageInfo, softwareVersion: number): PlainRow {
  const internal = info.type === 'internal' ? info : null;
  const sent = info.type === 'external-in' ? null : info;
  const flags = softwareVersion >= 12;
  return {
    created_lt: sent?.createdLt ?? 0n,
    created_at: sent?.createdAt ?? 0,
    value: internal?.value.coins ?? 0n,
    value_extra: extraOf(internal?.value),
    fwd_fee: internal?.forwardFee ?? 0n,
    ihr_fee: flags ? 0n : (internal?.ihrFee ?? 0n),
    import_fee: info.type === 'external-in' ? info.importFee : 0n,
    extra_flags: flags && internal ? internal.ihrFee : null,
    ihr_disabled: internal?.ihrDisabled ?? false,
    bounce: internal?.bounce ?? false,
    bounced: internal?.bounced ?? false,
  };
}
