import { readCell } from '../../ton/cell/cells-of-bag.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { impersonationMessage } from '../collate/intervene/send-as.ts';
import type { InterventionOutcome, LocalChain } from './local-chain.ts';

/** Parts of an account's state: a balance in nanotons, BoCs of code and data. Absent parts stay. */
export interface NewAccountParts {
  readonly balance?: bigint;
  readonly code?: Uint8Array;
  readonly data?: Uint8Array;
}

/** `hash`: of the external message that the transaction of the sender receives. */
export type ImpersonationOutcome =
  | (Extract<InterventionOutcome, { ok: true }> & { readonly hash: Uint8Array })
  | Extract<InterventionOutcome, { ok: false }>;

/** Sets parts of an account's state with the next step, at `utime`. @throws BocError */
export function setAccount(
  local: LocalChain,
  account: AccountAddress,
  { balance, code, data }: NewAccountParts,
  utime: number,
): InterventionOutcome {
  const parts = {
    ...(balance !== undefined && { balance }),
    ...(code && { code: readCell(code) }),
    ...(data && { data: readCell(data) }),
  };
  return local.intervene({ kind: 'set', account, ...parts }, utime);
}

/** A message that is sent as an account. */
export interface SentAsAccount {
  readonly sender: AccountAddress;
  /** A MessageRelaxed as a BoC. */
  readonly message: Uint8Array;
  /** Of all impersonations since the chain was resumed. */
  readonly number: number;
}

/** Sends a message as an account with the next step, at `utime`. @throws BocError */
export function impersonate(
  local: LocalChain,
  { sender, message, number }: SentAsAccount,
  utime: number,
): ImpersonationOutcome {
  // No two of a chain are equal: those of one block have other numbers, and later blocks have other seqnos.
  const nonce = (BigInt(local.chain.masterchain.block.seqno) << 32n) + BigInt(number);
  const external = impersonationMessage(sender, nonce, readCell(message));
  const outcome = local.intervene({ kind: 'send', account: sender, external }, utime);
  return outcome.ok ? { ...outcome, hash: external.hash() } : outcome;
}
