import type { Cell } from '../../../ton/cell/cell.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';

/**
 * Sets parts of an account's state. Absent parts stay. Code makes the account active; data needs code. Debt of storage
 * fees ends, and storage is paid up to now.
 */
export interface AccountChange {
  readonly kind: 'set';
  readonly account: AccountAddress;
  /** Nanotons; extra currencies stay. */
  readonly balance?: bigint;
  readonly code?: Cell;
  readonly data?: Cell;
}

/** Sends a message as an account, whatever its code and keys. The account pays the value and all fees. */
export interface Impersonation {
  readonly kind: 'send';
  readonly account: AccountAddress;
  /** The external message that the transaction receives, see `impersonationMessage`. */
  readonly external: Cell;
}

/**
 * Loads an account of the network that the chain is forked from. Does nothing if the account exists. Extra currencies are left
 * out, and storage is paid up to now.
 */
export interface AccountLoad {
  readonly kind: 'load';
  readonly account: AccountAddress;
  /** The Account as that network has it. */
  readonly origin: Cell;
}

/** What the developer of a local chain does to an account and no rule of the chain allows. */
export type Intervention = AccountChange | AccountLoad | Impersonation;
