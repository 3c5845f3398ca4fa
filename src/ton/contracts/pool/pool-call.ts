import { BocError } from '../../boc/boc-error.ts';
import { CellError } from '../../boc/cell-error.ts';
import type { CellSlice } from '../../boc/cell-slice.ts';
import { openBag } from '../../boc/open-bag.ts';
import { ELECTOR_OP } from '../../messages/elector.ts';
import { nominatorName } from './pool-storage.ts';

/** The incoming message of a pool's transaction, and the coins that the pool sent. Addresses are raw. */
export interface PoolTransaction {
  /** Compute phase succeeded, not aborted. */
  readonly isDone: boolean;
  /** null for none, or an external one. */
  readonly message: {
    readonly source: string;
    readonly value: bigint;
    readonly bounced: boolean;
    /** A bag. */
    readonly body: Uint8Array;
  } | null;
  readonly sent: readonly { readonly to: string; readonly value: bigint }[];
}

/** A call of a pool by message that may change its members' coins or their round. */
export type PoolCall =
  | { readonly kind: 'recovered' | 'stake_accepted' | 'stake_refused'; readonly queryId: bigint | null }
  | { readonly kind: 'deposit' | 'withdraw'; readonly nominator: string }
  | { readonly kind: 'process'; readonly limit: number }
  | { readonly kind: 'process_one'; readonly nominator: string }
  | { readonly kind: 'validator_deposit'; readonly queryId: bigint }
  | { readonly kind: 'validator_withdraw'; readonly queryId: bigint; readonly amount: bigint }
  | { readonly kind: 'stake'; readonly value: bigint; readonly stakeAt: number };

const DEPOSIT = 'd'.charCodeAt(0);
const WITHDRAW = 'w'.charCodeAt(0);

/** Returns the call that a transaction executed, or null if it changed none of this. `elector`: its raw address. */
export function readPoolCall({ isDone, message }: PoolTransaction, elector: string): PoolCall | null {
  if (!isDone || !message) return null;
  try {
    const body = openBag(message.body);
    const isElector = message.source === elector;
    if (message.bounced) return isElector ? readBounced(body) : null;
    const op = body.uint(32);
    if (op === 0) return readComment(body, message.source);
    const queryId = body.u64();
    return isElector ? readElectorAnswer(op, queryId) : readCommand(op, queryId, body);
  } catch (error) {
    if (error instanceof CellError || error instanceof BocError) return null;
    throw error;
  }
}

/** A stake that the elector's account threw back. */
function readBounced(body: CellSlice): PoolCall | null {
  body.skipBits(32);
  return body.uint(32) === ELECTOR_OP.newStake ? { kind: 'stake_refused', queryId: null } : null;
}

function readComment(body: CellSlice, nominator: string): PoolCall | null {
  if (body.bitsLeft !== 8) return null;
  const letter = body.uint(8);
  if (letter === DEPOSIT) return { kind: 'deposit', nominator };
  return letter === WITHDRAW ? { kind: 'withdraw', nominator } : null;
}

function readElectorAnswer(op: number, queryId: bigint): PoolCall | null {
  if (op === ELECTOR_OP.recovered) return { kind: 'recovered', queryId };
  if (op === ELECTOR_OP.stakeAccepted) return { kind: 'stake_accepted', queryId };
  return op === ELECTOR_OP.stakeRefused ? { kind: 'stake_refused', queryId } : null;
}

function readCommand(op: number, queryId: bigint, body: CellSlice): PoolCall | null {
  switch (op) {
    case 2:
      return { kind: 'process', limit: body.uint(8) };
    case 3:
      return { kind: 'process_one', nominator: nominatorName(body.bytes(32)) };
    case 4:
      return { kind: 'validator_deposit', queryId };
    case 5:
      return { kind: 'validator_withdraw', queryId, amount: body.coins() };
    case ELECTOR_OP.newStake: {
      const value = body.coins();
      body.skipBits(256);
      return { kind: 'stake', value, stakeAt: body.uint(32) };
    }
    default:
      return null;
  }
}
