import { formatRaw } from '../../ton/address/address.ts';
import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { externalMessage } from '../../ton/messages/external-message.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { loadTransaction, type Transaction } from '../../ton/tlb/transaction/transaction.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';
import type { ChainView } from '../chain-port.ts';
import { readShardAccount } from './account-of-view.ts';
import type { ChainRequest } from './chain-request.ts';
import { coinsMessage } from './coins-message.ts';
import { importFee } from './forward-fee.ts';
import { needChain } from './need-chain.ts';
import { readChainView } from './read-chain-view.ts';
import { TraceLibraries } from './trace-libraries.ts';

/** Nanotons. */
export interface Fees {
  readonly in_fwd_fee: number;
  readonly storage_fee: number;
  readonly gas_fee: number;
  readonly fwd_fee: number;
}

export interface FeeQuestion {
  readonly address: AccountAddress;
  readonly body: Cell;
  /** A StateInit. */
  readonly init: Cell | null;
  readonly ignoreSignature: boolean;
}

// account_none$0 = Account;
const NO_ACCOUNT = new CellBuilder().bit(false).cell();
const NO_SHARD_ACCOUNT = bag(new CellBuilder().ref(NO_ACCOUNT).bytes(new Uint8Array(32)).u64(0n).cell());
/** More than any storage costs. */
const MUCH = 10n ** 18n;

/**
 * The fees of an external message's transaction on the account's current state. A message that the account refuses
 * costs only its import fee and the storage due.
 * @throws HttpError
 */
export async function estimateFee(
  request: ChainRequest,
  { address, body, init, ignoreSignature }: FeeQuestion,
): Promise<Fees> {
  const { context, scope } = request;
  needChain(context);
  const view = await readChainView(context, scope, address, undefined);
  const message = externalMessage(address, { ref: body }, init);
  const libraries = await readLibraries(request, view, message);
  const done = await execute(request, address, view, { message, ignoreSignature, libraries });
  if (done) return getFees(done);
  const paid = await execute(request, address, view, {
    message: coinsMessage(address, MUCH),
    ignoreSignature: true,
    libraries,
  });
  return {
    in_fwd_fee: Number(importFee(view.config, message, address.workchain)),
    storage_fee: Number(paid?.description.storage?.feesCollected ?? 0n),
    gas_fee: 0,
    fwd_fee: 0,
  };
}

/** A message to try, and the libraries of the chain (base64). */
interface Trial {
  readonly message: Cell;
  readonly ignoreSignature: boolean;
  readonly libraries: string | null;
}

/** Libraries that the account and the message name, if the view does not list them all. @throws NotHeldError the code is none */
async function readLibraries(
  { scope }: ChainRequest,
  view: ChainView,
  message: Cell,
): Promise<string | null> {
  if (!view.hasUnknownLibraries || !scope) return view.libraries;
  const libraries = new TraceLibraries();
  if (view.shardAccount) await libraries.add(scope, view.shardAccount);
  await libraries.add(scope, bag(message));
  const code = readShardAccount(view.shardAccount)?.code;
  if (code) {
    const boc = parseBoc(code);
    libraries.require(boc, onlyRoot(boc));
  }
  return libraries.dictionary;
}

/** The transaction; null if the account refuses the message. */
async function execute(
  { context, caller }: ChainRequest,
  address: AccountAddress,
  view: ChainView,
  { message, ignoreSignature, libraries }: Trial,
): Promise<Transaction | null> {
  const { config, utime: now, prevBlocks } = view;
  const trial = {
    address: formatRaw(address.workchain, address.address, false),
    block: { config, now, randomSeed: new Uint8Array(32), prevBlocks, libraries },
    request: {
      shardAccount: view.shardAccount ?? NO_SHARD_ACCOUNT,
      input: { message: bag(message) },
      lt: (readShardAccount(view.shardAccount)?.account.lastTransLt ?? 0n) + 1n,
      ignoreSignature,
    },
  };
  const answer = await needChain(context).runner.tryTransaction(trial, caller);
  if (!answer.accepted) return null;
  const boc = parseBoc(answer.transaction);
  return loadWholeCell(boc, onlyRoot(boc), 'Transaction', loadTransaction);
}

/** A transaction's total includes, in addition to its phases' fees, the fee for importing the message. */
function getFees({ totalFees, description }: Transaction): Fees {
  const { storage, compute, action } = description;
  const storageFee = storage?.feesCollected ?? 0n;
  const gasFee = compute?.kind === 'vm' ? compute.gasFees : 0n;
  return {
    in_fwd_fee: Number(totalFees.grams - storageFee - gasFee - (action?.totalActionFees ?? 0n)),
    storage_fee: Number(storageFee),
    gas_fee: Number(gasFee),
    fwd_fee: Number(action?.totalFwdFees ?? 0n),
  };
}

function bag(cell: Cell): string {
  return toBase64(writeBag(cell, { index: false }));
}
