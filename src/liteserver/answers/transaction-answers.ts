import type { TlParameters, TlValue } from '../../liteapi/schema/values.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import {
  type BlockTransaction,
  visitTransactions,
  visitTransactionsOfAccount,
} from '../../ton/proofs/visit-transactions.ts';
import { Visits } from '../../ton/proofs/visits.ts';
import type { LiteBlock } from '../chain/lite-block.ts';
import type { LiteContext } from '../lite-context.ts';
import { badRequest, noBlock } from '../lite-refusals.ts';
import { findBlock, needBlock } from '../located.ts';
import { prove, toBag } from '../proof-bags.ts';
import { toTl } from '../tl-values.ts';
import type { Answers } from './answers.ts';

/** Limits of the reference server. */
const MAX_OF_ACCOUNT = 16;
const MAX_OF_BLOCK = 256;

/** Transactions of an account and of a block. */
export const TRANSACTION_ANSWERS: Answers<
  'getOneTransaction' | 'getTransactions' | 'listBlockTransactions' | 'listBlockTransactionsExt'
> = {
  async getOneTransaction(context, { id, account, lt }) {
    if (account.workchain !== id.workchain)
      throw badRequest('the account is in another workchain than the block');
    const { root } = await needBlock(context, id);
    const { proof, result } = prove(root, (visits) => visitTransactionsOfAccount(visits, root, account.id));
    const found = result.find((one) => one.lt === BigInt.asUintN(64, lt));
    return { id, proof: toBag(proof), transaction: found ? toBag(found.cell) : new Uint8Array() };
  },
  getTransactions: accountHistory,
  async listBlockTransactions(context, parameters) {
    const { id, mode } = parameters;
    const { list, incomplete, count, proof } = await listed(context, parameters);
    const ids = list.map((one) => transactionId(one, mode & 7));
    return { id, req_count: count, incomplete, ids, proof };
  },
  async listBlockTransactionsExt(context, parameters) {
    const { id } = parameters;
    const { list, incomplete, count, proof } = await listed(context, parameters);
    const cells = distinct(list.map(({ cell }) => cell));
    return {
      id,
      req_count: count,
      incomplete,
      transactions: cells.length > 0 ? toBag(cells) : new Uint8Array(),
      proof,
    };
  },
};

/** Transactions from (lt, hash) back in time, newest first, with the blocks that they are in. */
async function accountHistory(
  context: LiteContext,
  { count, account, lt, hash }: TlParameters<'getTransactions'>,
): Promise<TlValue<'transactionList'>> {
  const limit = Math.min(count, MAX_OF_ACCOUNT);
  const blocks: LiteBlock[] = [];
  const cells: Cell[] = [];
  let next = { lt: BigInt.asUintN(64, lt), hash };
  while (cells.length < limit && next.lt !== 0n) {
    const found = await findTransaction(context, account, next).catch((error: unknown) => {
      // The history ends where the server's does; the first one must be there.
      if (cells.length === 0) throw error;
      return null;
    });
    if (!found) break;
    blocks.push(found.block);
    cells.push(found.transaction.cell);
    next = { lt: found.transaction.prevLt, hash: found.transaction.prevHash };
  }
  return {
    ids: blocks.map(({ header }) => toTl(header)),
    transactions: cells.length > 0 ? toBag(cells) : new Uint8Array(),
  };
}

/** @throws LiteServerError no such transaction, or one with another hash */
async function findTransaction(
  context: LiteContext,
  { workchain, id: account }: TlValue<'accountId'>,
  { lt, hash }: { readonly lt: bigint; readonly hash: Uint8Array },
): Promise<{ readonly block: LiteBlock; readonly transaction: BlockTransaction }> {
  const prefix = new DataView(account.buffer, account.byteOffset, 8).getBigUint64(0);
  // The deepest shard that a block of the account can have.
  const shard = workchain === -1 ? 1n << 63n : (prefix & ~7n) | 8n;
  const block = await findBlock(context, { workchain, shard, lt });
  const found = visitTransactionsOfAccount(new Visits(), block.root, account).find((one) => one.lt === lt);
  if (!found || !Buffer.from(found.cell.hash()).equals(hash))
    throw noBlock(`transaction of lt ${lt} with this hash`);
  return { block, transaction: found };
}

interface Listed {
  readonly list: readonly BlockTransaction[];
  readonly incomplete: boolean;
  /** Number that was asked for, bounded. */
  readonly count: number;
  readonly proof: Uint8Array;
}

/** A page of a block's transactions. The proof shows all dictionaries of transactions. */
async function listed(
  context: LiteContext,
  { id, count: asked, after, reverse_order, want_proof }: TlParameters<'listBlockTransactions'>,
): Promise<Listed> {
  const { root } = await needBlock(context, id);
  const count = Math.min(asked, MAX_OF_BLOCK);
  const { proof, result } = prove(root, (visits) => visitTransactions(visits, root));
  const all = reverse_order ? result.reverse() : result;
  const start = after ? all.findIndex((one) => isAfter(one, after, reverse_order === true)) : 0;
  const rest = start < 0 ? [] : all.slice(start);
  const page = { list: rest.slice(0, count), incomplete: rest.length > count, count };
  return { ...page, proof: want_proof ? toBag(proof) : new Uint8Array() };
}

function isAfter(one: BlockTransaction, after: TlValue<'transactionId3'>, isReverse: boolean): boolean {
  const lt = BigInt.asUintN(64, after.lt);
  const byAccount = Buffer.compare(one.account, after.account);
  const order = byAccount === 0 ? Number(one.lt > lt) - Number(one.lt < lt) : byAccount;
  return isReverse ? order < 0 : order > 0;
}

function transactionId({ account, lt, cell }: BlockTransaction, mode: number): TlValue<'transactionId'> {
  return {
    mode,
    ...(mode & 1 && { account }),
    ...(mode & 2 && { lt }),
    ...(mode & 4 && { hash: cell.hash() }),
  };
}

/** A bag names each root once. */
function distinct(cells: readonly Cell[]): Cell[] {
  return [...new Map(cells.map((cell) => [cell.key, cell])).values()];
}
