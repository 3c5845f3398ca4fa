import type { Cell } from '../../ton/cell/cell.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { Transfer } from '../wallets/transfer.ts';

/** An external message that waits for a block. */
export interface ExternalMessage {
  readonly cell: Cell;
  readonly dest: AccountAddress;
  /** Transfers that it orders from a payer (direct/payer.ts): its transaction needs no TVM. */
  readonly transfers?: readonly Transfer[];
}
