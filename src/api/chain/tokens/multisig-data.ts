import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { CellError } from '../../../ton/boc/cell-error.ts';
import { serializeCell } from '../../../ton/boc/serialize.ts';
import type { ContractKey } from '../../../ton/contracts/contract-state.ts';
import {
  type MultisigDetails,
  type OrderDetails,
  rawText,
} from '../../../ton/contracts/custody/custody-state.ts';
import { readAddresses } from '../../../ton/contracts/read-accounts.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import type { StackValue } from '../../../tvm/stack/stack-value.ts';
import { type Ask, needValues, requireNamed } from './ask-contract.ts';
import {
  NotThisTokenError,
  readCellBag,
  readDigits,
  readFlag,
  readInt,
  readNumber,
  requiredAddress,
} from './token-stack.ts';

/** A multisig or an order by its get methods; details as in `CustodyState`. */
export type MultisigData =
  | (Common & { readonly kind: 'multisig'; readonly details: MultisigDetails })
  | (Common & { readonly kind: 'multisig_order'; readonly details: OrderDetails });

interface Common {
  readonly owner: null;
  /** The multisig of an order. */
  readonly parent: AccountAddress | null;
  /** Accounts by which it is found. */
  readonly keys: readonly ContractKey[];
}

/** Dictionaries of signers and proposers are by index. */
const INDEX_BITS = 8;
/** Bytes of an order that are kept: as of data that is read from cells. */
const MAX_ORDER = 1 << 16;

/**
 * Reads an account as a multisig of version 2 or an order of one (v3-rules.md 6); its multisig must give an order its
 * address.
 * @throws NotThisTokenError why it is none of this kind
 */
export function readMultisigData(
  ask: Ask,
  address: AccountAddress,
  kind: MultisigData['kind'],
): Promise<MultisigData> {
  return kind === 'multisig' ? multisig(ask, address) : order(ask, address);
}

async function multisig(ask: Ask, address: AccountAddress): Promise<MultisigData> {
  const [seqno, threshold, signerList, proposerList] = await needValues(
    (method) => ask(address, method),
    'get_multisig_data',
    4,
  );
  const [signers, proposers] = [listAddresses(signerList), listAddresses(proposerList)];
  return {
    kind: 'multisig',
    owner: null,
    parent: null,
    keys: [
      ...signers.map((account) => ({ role: 'signer' as const, account })),
      ...proposers.map((account) => ({ role: 'proposer' as const, account })),
    ],
    details: {
      next_order_seqno: readDigits(seqno),
      threshold: readNumber(threshold),
      signers: signers.map(rawText),
      proposers: proposers.map(rawText),
    },
  };
}

async function order(ask: Ask, address: AccountAddress): Promise<MultisigData> {
  const [parent, number, threshold, sent, signers, mask, count, expires, what] = await needValues(
    (method) => ask(address, method),
    'get_order_data',
    9,
  );
  const wallet = requiredAddress(parent);
  const details = {
    order_seqno: readDigits(number),
    threshold: readNumber(threshold),
    sent_for_execution: readFlag(sent),
    approvals_mask: readDigits(mask),
    approvals_num: readNumber(count),
    expiration_date: readNumber(expires),
    order_boc: readOrder(what),
    signers: addressesIn(readCellBag(signers)).map(rawText),
  };
  const named = await ask(wallet, 'get_order_address', [{ kind: 'int', value: readInt(number) }]);
  requireNamed(address, named);
  const keys = [{ role: 'multisig' as const, account: wallet }];
  return { kind: 'multisig_order', owner: null, parent: wallet, keys, details };
}

function readOrder(value: StackValue | undefined): string {
  const boc = parseBoc(readCellBag(value));
  const bag = serializeCell(boc, onlyRoot(boc));
  if (bag.length > MAX_ORDER) throw new NotThisTokenError(`an order of ${MAX_ORDER} bytes`, 'a larger one');
  return toBase64(bag);
}

/** Standard addresses of a dictionary, or none. */
function listAddresses(value: StackValue | undefined): readonly AccountAddress[] {
  return value?.kind === 'null' ? [] : addressesIn(readCellBag(value));
}

function addressesIn(bag: Uint8Array): readonly AccountAddress[] {
  const boc = parseBoc(bag);
  try {
    return readAddresses(boc, onlyRoot(boc), INDEX_BITS);
  } catch (error) {
    if (error instanceof CellError) throw new NotThisTokenError('a dictionary of addresses', 'another cell');
    throw error;
  }
}
