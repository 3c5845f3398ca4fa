import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import type { Cell } from '../../../ton/cell/cell.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { readCell } from '../../../ton/cell/cells-of-bag.ts';
import { reuseCells } from '../../../ton/cell/reuse-cells.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { externalMessage } from '../../../ton/messages/external-message.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import { loadTransaction, type Transaction } from '../../../ton/tlb/transaction/transaction.ts';
import { loadWholeCell } from '../../../ton/tlb/whole-cell.ts';
import type { EmulatedTransaction, Emulator, RefusedMessage } from '../../../tvm/emulator.ts';
import { type AccountEntry, entryOfAccount, shardAccountText } from '../../ledger/account-entry.ts';
import { LocalnetError } from '../../localnet-error.ts';
import { hashUpdate, STATUS } from '../direct/plain-cells.ts';
import { joinAccount, splitAccount } from './account-parts.ts';
import type { Impersonation } from './intervention.ts';

/** Op of the body of an impersonation: the start of the SHA-256 hash of `localnet: impersonate`. */
const IMPERSONATE_OP = 0xa27f_fc93;

// impersonate#a27ffc93 nonce:uint64 message:^(MessageRelaxed Any) = ExternalMsgBody;
//
/** Returns the external message of an impersonation. No two of a chain may have the same nonce. */
export function impersonationMessage(sender: AccountAddress, nonce: bigint, message: Cell): Cell {
  const body = new CellBuilder().uint(IMPERSONATE_OP, 32).u64(nonce).ref(message).cell();
  return externalMessage(sender, { ref: body });
}

/**
 * Code that takes the place of the account's during the transaction: accepts the message and sends what it contains, with
 * fees paid apart. ACCEPT, DROP, skip 96 bits (PUSHINT 96, SDSKIPFIRST), LDREF, DROP, PUSHINT 1, SENDRAWMSG.
 */
const SENDER_CODE = new CellBuilder().bytes(Uint8Array.fromHex('f800308060d721d43071fb00')).cell();

/** A transaction of the sender with its own state restored, and the account after it. */
export interface SentAs {
  readonly accepted: true;
  /** A BoC. */
  readonly transaction: Uint8Array;
  readonly after: AccountEntry;
}

/**
 * Executes an impersonation on an account: the executor runs all phases with the code above, so value, fees and messages
 * are those of a real transaction. Then the account gets its own state again, and the transaction its hashes.
 * @throws EmulatorError, LocalnetError
 */
export function sendAs(
  emulator: Emulator,
  { account: address, external }: Impersonation,
  before: AccountEntry,
  lt: bigint,
): SentAs | RefusedMessage {
  const own = splitAccount(before.account);
  const state = { ...SENDER_STATE, code: SENDER_CODE };
  // The sizes of its own storage stay, so that the storage fee is the account's.
  const disguised = joinAccount(address, { ...own, state }, own.used);
  const shardAccount = shardAccountText({ ...before, account: disguised });
  const message = toBase64(writeBag(external, { index: false }));
  const answer = emulator.transact({ shardAccount, input: { message }, lt });
  if (!answer.accepted) return answer;
  const left = splitAccount(readAccountAfter(answer));
  if (left.state.status !== 'active')
    throw new LocalnetError('impersonation', 'an active account after it', left.state.status);
  const account = reuseCells(joinAccount(address, { ...left, state: own.state }), before.account);
  const root = readCell(answer.transaction);
  const cell = restoredTransaction(root, before, account);
  const { lt: lastTransLt } = readTransaction(answer.transaction);
  const after = entryOfAccount(account, { lastTransHash: cell.hash(), lastTransLt });
  return { accepted: true, transaction: writeBag(cell), after };
}

const SENDER_STATE = {
  status: 'active',
  splitDepth: null,
  special: null,
  data: null,
  library: null,
} as const;

// account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
function readAccountAfter({ shardAccount }: EmulatedTransaction): Cell {
  return readCell(Buffer.from(shardAccount, 'base64')).refs[0]!;
}

/** Bits of a transaction before `orig_status`. */
const STATUS_AT = 4 + 256 + 64 + 256 + 64 + 32 + 15;
const STATUS_BITS = 2 + 2;

// transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32
//   outmsg_cnt:uint15 orig_status:AccountStatus end_status:AccountStatus
//   ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
//   total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account) description:^TransactionDescr = Transaction;
function restoredTransaction(cell: Cell, before: AccountEntry, account: Cell): Cell {
  const { data, bitLength, refs } = cell;
  const status = STATUS[before.status];
  const builder = new CellBuilder().bits(data, 0, STATUS_AT).uint(status, 2).uint(status, 2);
  builder.bits(data, STATUS_AT + STATUS_BITS, bitLength - STATUS_AT - STATUS_BITS);
  for (const ref of refs.slice(0, -2)) builder.ref(ref);
  return builder.ref(hashUpdate(before.account.hash(), account.hash())).ref(refs.at(-1)!).cell();
}

function readTransaction(bag: Uint8Array): Transaction {
  const boc = parseBoc(bag);
  return loadWholeCell(boc, onlyRoot(boc), 'Transaction', loadTransaction);
}

/** Why an impersonation sent nothing; null if it sent its message. */
export function sendProblem(transaction: Cell): string | null {
  const { description, outMsgs } = readTransaction(writeBag(transaction));
  const { action, compute, aborted } = description;
  if (!aborted && outMsgs.length > 0) return null;
  if (action) return `the action phase failed with result code ${action.resultCode}`;
  return compute?.kind === 'vm'
    ? `the compute phase failed with exit code ${compute.exitCode}`
    : 'there was no compute phase';
}
