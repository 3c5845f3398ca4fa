import type { MINT_TYPES } from '../../tables/transfers/jetton-mints.ts';
import type { TableBuilder } from '../../ton/columns/table-builder.ts';
import type { NamedAddress } from '../../ton/contracts/read-fields.ts';
import { type AccountAddress, ZERO_ADDRESS } from '../../ton/store/store-address.ts';
import { isSameAccount } from '../tokens/token-row.ts';
import type { Receiver } from './contract-tables.ts';
import type { TransferFact } from './fact.ts';

const toAccount = (address: NamedAddress): AccountAddress | null =>
  typeof address === 'string' ? null : address;

/**
 * Adds a row of `jetton_mints` if the sender is the master of the wallet that received the message, or if get methods must
 * decide that. Jettons from another wallet are no mint.
 */
export function addMint(
  table: TableBuilder<typeof MINT_TYPES>,
  part: number,
  fact: TransferFact,
  receiver: Receiver,
): void {
  const { source } = fact;
  const wallet = 'kind' in receiver ? receiver : null;
  if (!source || (wallet && !isSameAccount(wallet.parent, source))) return;
  const { col } = table;
  col.mc_seqno.push(fact.position);
  col.part.push(part);
  col.workchain.push(fact.account.workchain);
  col.account.push(fact.account.address);
  col.lt.push(fact.lt);
  col.hash.push(fact.hash);
  col.now.push(fact.now);
  col.aborted.push(fact.isAborted);
  col.is_known.push(wallet !== null);
  col.parent_workchain.push(source.workchain);
  col.parent.push(source.address);
  col.child_code.push(wallet ? wallet.childCode : receiver.codeHash);
  const owner = wallet?.owner ?? null;
  col.has_owner.push(owner !== null);
  col.owner_workchain.push(owner?.workchain ?? 0);
  col.owner.push((owner ?? ZERO_ADDRESS).address);
  col.query_id.push(fact.queryId);
  col.amount.push(fact.amount);
  const response = toAccount(fact.response);
  col.has_response.push(response !== null);
  col.response_workchain.push(response?.workchain ?? 0);
  col.response.push((response ?? ZERO_ADDRESS).address);
  col.forward_amount.push(fact.forwardAmount);
  col.forward_payload.push(fact.forwardPayload);
  table.endRow();
}
