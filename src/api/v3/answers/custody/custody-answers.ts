import type { CustodyRow } from '../../../entities/contracts/custody-row.ts';
import type { MultisigAnswer, MultisigOrderAnswer, VestingAnswer } from '../../schemas/custody.ts';
import { NO_ADDRESS } from '../tokens/jetton-wallet.ts';
import { orderActions } from './order-actions.ts';

type OrderRow = CustodyRow<'multisig_order'>;

/** MultisigOrder of v3-models.md 11, with actions on request. */
export function multisigOrderAnswer(row: OrderRow, parsesActions: boolean): MultisigOrderAnswer {
  const { details } = row;
  return {
    address: row.address,
    multisig_address: row.parent ?? NO_ADDRESS,
    order_seqno: details.order_seqno,
    threshold: details.threshold,
    sent_for_execution: details.sent_for_execution,
    approvals_mask: details.approvals_mask,
    approvals_num: details.approvals_num,
    expiration_date: details.expiration_date,
    order_boc: details.order_boc,
    signers: [...details.signers],
    last_transaction_lt: row.lt,
    code_hash: row.codeHash,
    data_hash: row.dataHash,
    actions: parsesActions ? orderActions(details.order_boc) : null,
  };
}

/** Multisig of v3-models.md 11. `orders`: its own, null for none; undefined if not requested. */
export function multisigAnswer(
  row: CustodyRow<'multisig'>,
  orders: readonly OrderRow[] | undefined,
): MultisigAnswer {
  const { details } = row;
  const shown = orders?.map((order) => multisigOrderAnswer(order, false)) ?? [];
  return {
    address: row.address,
    next_order_seqno: details.next_order_seqno,
    threshold: details.threshold,
    signers: [...details.signers],
    proposers: [...details.proposers],
    last_transaction_lt: row.lt,
    code_hash: row.codeHash,
    data_hash: row.dataHash,
    orders: orders && shown.length === 0 ? null : shown,
  };
}

/** Vesting of v3-models.md 11. */
export function vestingAnswer({ address, details }: CustodyRow<'vesting'>): VestingAnswer {
  const { whitelist, ...schedule } = details;
  return { address, ...schedule, whitelist: [...whitelist] };
}

/** Addresses that an order brings into the address book (v3-rules.md 9). */
export function orderAddresses({ address, parent, details }: OrderRow): (string | null)[] {
  return [address, parent, ...details.signers];
}
