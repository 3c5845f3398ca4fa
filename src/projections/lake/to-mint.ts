import { formatRaw } from '../../ton/address/address.ts';
import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { openBag } from '../../ton/boc/open-bag.ts';
import { INTERNAL_TRANSFER_OP, loadInternalTransfer } from '../../ton/messages/jetton-internal-transfer.ts';
import { loadPayload, payloadBag } from '../../ton/messages/payload.ts';
import { type ActionFact, getIncoming, getText, type TransactionFact } from './action-fact.ts';

/** Jettons that a master minted. Addresses are raw text; empty for none. */
export interface Mint {
  readonly position: number;
  /** Of the wallet's transaction. */
  readonly lt: bigint;
  readonly time: number;
  /** Base64. */
  readonly txHash: string;
  readonly traceId: string;
  readonly queryId: bigint;
  readonly amount: bigint;
  readonly owner: string;
  readonly wallet: string;
  readonly master: string;
  readonly response: string;
  readonly forwardAmount: bigint;
  /** A bag of cells; empty without one. */
  readonly forwardPayload: Uint8Array;
}

const NO_BYTES = new Uint8Array();

/** Fields of the details of an action with a mint: the owner of the jettons, and their wallet, if the action names it. */
interface MintFields {
  readonly owner: string;
  readonly wallet: string | null;
}

/** Actions with mints. A pool of liquid staking mints tokens for a stake. */
const FIELDS: ReadonlyMap<string, MintFields> = new Map([
  ['jetton_mint', { owner: 'receiver', wallet: 'receiver_jetton_wallet' }],
  ['stake_deposit', { owner: 'stake_holder', wallet: null }],
]);

/** Types of actions with mints. */
export const MINT_ACTIONS: readonly string[] = [...FIELDS.keys()];

/** The mint of an action; null if no wallet received jettons from the master. `transactions`: those of the action. */
export function toMint(action: ActionFact, transactions: readonly TransactionFact[]): Mint | null {
  const fields = FIELDS.get(action.type);
  if (!fields) return null;
  const { details } = action;
  const master = getText(details, 'asset');
  for (const transaction of transactions) {
    const incoming = getIncoming(transaction);
    const wallet = transaction.account;
    const isMint =
      (fields.wallet === null || getText(details, fields.wallet) === wallet) &&
      incoming?.opcode === INTERNAL_TRANSFER_OP &&
      !incoming.bounced &&
      incoming.source === master;
    if (!isMint) continue;
    const body = readBody(incoming.body);
    if (!body) return null;
    const { lt, now: time, hash: txHash } = transaction;
    const { position, traceId } = action;
    const owner = getText(details, fields.owner);
    return { position, lt, time, txHash, traceId, owner, wallet, master, ...body };
  }
  return null;
}

function readBody(
  bag: Uint8Array,
): Pick<Mint, 'queryId' | 'amount' | 'response' | 'forwardAmount' | 'forwardPayload'> | null {
  try {
    const slice = openBag(bag);
    slice.skipBits(32);
    const { queryId, amount, responseAddress, forwardAmount } = loadInternalTransfer(slice);
    const response =
      responseAddress.kind === 'std' ? formatRaw(responseAddress.workchain, responseAddress.address) : '';
    const payload = loadPayload(slice);
    const forwardPayload = payload ? payloadBag(slice.boc, payload) : NO_BYTES;
    return { queryId, amount, response, forwardAmount, forwardPayload };
  } catch (error) {
    if (error instanceof CellError || error instanceof BocError) return null;
    throw error;
  }
}
