import type { Cell } from '../../../ton/cell/cell.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { externalMessage } from '../../../ton/messages/external-message.ts';
import { outList } from '../../../ton/messages/out-list.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import type { GenesisContract } from '../../genesis/genesis-account.ts';
import { contractAt } from '../../genesis/genesis-code.ts';
import { outMessage, type Transfer } from '../../wallets/transfer.ts';

/**
 * A contract that executes any order, only for data sets. The first reference of an external message is its list of
 * actions:
 *
 *     DROP; ACCEPT; LDREF; DROP; POP c5
 */
export const PAYER_CODE: Cell = new CellBuilder()
  .uint(0x30, 8)
  .uint(0xf800, 16)
  .uint(0xd4, 8)
  .uint(0x30, 8)
  .uint(0xed55, 16)
  .cell();

/** Gas of the code, the same for every message; a test compares. */
export const PAYER_RUN = { gas: 111n, credit: 10_000n, steps: 6 } as const;

const BALANCE = 100_000_000n * 1_000_000_000n;

/** The payer of a number, as an account of the zerostate. */
export function payerContract(number: number): GenesisContract {
  return contractAt(PAYER_CODE, new CellBuilder().uint(number, 32).cell(), BALANCE);
}

/** The message by which a payer pays; no two are the same that differ in `nonce`. */
export function payoutMessage(payer: AccountAddress, transfers: readonly Transfer[], nonce: number): Cell {
  const orders = outList(transfers.map(outMessage));
  return externalMessage(payer, { ref: new CellBuilder().uint(nonce, 32).ref(orders).cell() });
}
