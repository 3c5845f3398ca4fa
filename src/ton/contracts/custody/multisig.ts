import { CellSlice } from '../../boc/cell-slice.ts';
import { serializeCell } from '../../boc/serialize.ts';
import { CellBuilder } from '../../cell/cell-builder.ts';
import { sameBytes } from '../../decode/same-bytes.ts';
import { toBase64 } from '../../hash/base64.ts';
import { fromHex } from '../../hash/hex.ts';
import { type AccountAddress, storeAddress } from '../../store/store-address.ts';
import { contractAddress } from '../contract-address.ts';
import type { CompleteData, MemberRole, ReadContract } from '../contract-state.ts';
import { readAddresses } from '../read-accounts.ts';
import { standard } from '../read-fields.ts';
import { type CustodyState, NO_PARTIES, rawText } from './custody-state.ts';

/** Dictionaries of signers and proposers are by index. */
const INDEX_BITS = 8;
/** Code of the orders of multisig v2: a library cell, which the code of the multisig names. */
const ORDER_CODE = fromHex('a01e057fbd4288402b9898d78d67bd4e90254c93c5866879bc2d1d12865436bc')!;

/**
 * Wallet of several signers, multisig v2 (`get_multisig_data`).
 *
 *     _ next_order_seqno:uint256 threshold:uint8 signers:^(Hashmap 8 MsgAddress) signers_num:uint8
 *       proposers:(HashmapE 8 MsgAddress) allow_arbitrary_order_seqno:Bool = MultisigData;
 */
export function readMultisig({ boc, data }: CompleteData): CustodyState<'multisig'> {
  const slice = new CellSlice(boc, data);
  const seqno = slice.bigUint(256);
  const threshold = slice.uint(8);
  const signers = readAddresses(boc, slice.ref(), INDEX_BITS);
  slice.skipBits(8);
  const proposers = readAddresses(boc, slice.maybeRef(), INDEX_BITS);
  const isAnyNumber = slice.bit();
  slice.end('MultisigData');
  return multisig(isAnyNumber ? -1n : seqno, threshold, { signers, proposers, orderCode: ORDER_CODE });
}

/**
 * The same of the local chain (src/localnet/contracts/multisig.tolk): its data has the code of its orders.
 *
 *     list#_ list:(HashmapE 8 MsgAddress) = Signers;
 *     _ next_order_seqno:uint256 threshold:uint8 signers:^Signers signers_num:uint8
 *       proposers:(HashmapE 8 MsgAddress) order_code:^Cell = LocalMultisigData;
 */
export function readLocalMultisig({ boc, hashes, data }: CompleteData): CustodyState<'multisig'> {
  const slice = new CellSlice(boc, data);
  const seqno = slice.bigUint(256);
  const threshold = slice.uint(8);
  const list = new CellSlice(boc, slice.ref());
  const signers = readAddresses(boc, list.maybeRef(), INDEX_BITS);
  slice.skipBits(8);
  const proposers = readAddresses(boc, slice.maybeRef(), INDEX_BITS);
  const orderCode = hashes.hash(slice.ref());
  slice.end('LocalMultisigData');
  return multisig(seqno, threshold, { signers, proposers, orderCode });
}

interface MultisigParts {
  readonly signers: readonly AccountAddress[];
  readonly proposers: readonly AccountAddress[];
  readonly orderCode: Uint8Array;
}

function multisig(
  seqno: bigint,
  threshold: number,
  { signers, proposers, orderCode }: MultisigParts,
): CustodyState<'multisig'> {
  const of = (role: MemberRole, accounts: readonly AccountAddress[]) =>
    accounts.map((account) => ({ role, account }));
  return {
    ...NO_PARTIES,
    kind: 'multisig',
    childCode: orderCode,
    members: [...of('signer', signers), ...of('proposer', proposers)],
    details: {
      next_order_seqno: seqno.toString(),
      threshold,
      signers: signers.map(rawText),
      proposers: proposers.map(rawText),
    },
  };
}

/**
 * Builds the reader of an order (`get_order_data`). `isWrapped`: the signers' cell is a HashmapE, as on the local
 * chain.
 *
 *     _ multisig:MsgAddress order_seqno:uint256 threshold:uint8 sent_for_execution:Bool signers:^(Hashmap 8 MsgAddress)
 *       approvals_mask:uint256 approvals_num:uint8 expiration_date:uint48 order:^Cell = OrderData;
 *
 * It returns null if the order is not initialised or its address is not the one that the multisig computes.
 */
export const orderReader =
  (isWrapped: boolean): ReadContract =>
  ({ boc, account, code, data }): CustodyState<'multisig_order'> | null => {
    const slice = new CellSlice(boc, data);
    if (slice.refsLeft === 0) return null;
    const multisigAddress = standard(slice);
    const seqno = slice.bigUint(256);
    // The data that it was deployed with.
    const first = new CellBuilder().with(storeAddress, multisigAddress).bigUint(seqno, 256);
    if (!sameBytes(contractAddress(code, first, []), account.address)) return null;
    const threshold = slice.uint(8);
    const isSent = slice.bit();
    const list = slice.ref();
    const signers = isWrapped ? new CellSlice(boc, list).maybeRef() : list;
    return {
      ...NO_PARTIES,
      kind: 'multisig_order',
      parent: multisigAddress,
      childCode: code.hash,
      members: [{ role: 'multisig', account: multisigAddress }],
      details: {
        order_seqno: seqno.toString(),
        threshold,
        sent_for_execution: isSent,
        approvals_mask: slice.bigUint(256).toString(),
        approvals_num: slice.uint(8),
        expiration_date: Number(slice.bigUint(48)),
        order_boc: toBase64(serializeCell(boc, slice.ref())),
        signers: readAddresses(boc, signers, INDEX_BITS).map(rawText),
      },
    };
  };
