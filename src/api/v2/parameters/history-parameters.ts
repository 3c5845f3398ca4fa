import { int32 } from '../../parameters/integer.ts';
import { optional, required, withDefault } from '../../parameters/parameter.ts';
import { InvalidRequest } from '../errors.ts';
import { ADDRESS, BOOLEAN, HASH, LOGICAL_TIME } from './forms.ts';

export const ACCOUNT = required(ADDRESS, 'account', 'empty address');

/** Parameters of both listings of an account's transactions. */
export const HISTORY_PARAMETERS = {
  address: ACCOUNT,
  limit: withDefault(int32({ sign: 'positive', atMost: 1000 }), 10, 'entries of a page'),
  lt: optional(LOGICAL_TIME, 'with hash: the transaction to begin with'),
  hash: optional(HASH, 'with lt: the transaction to begin with'),
  to_lt: optional(LOGICAL_TIME, 'transactions at this lt and before are left out'),
  archival: withDefault(BOOLEAN, false, 'no effect: the history has no edge'),
};

/** The transaction that a page begins with. */
export interface HistoryCursor {
  readonly lt: bigint;
  readonly hash: Uint8Array;
}

/** @throws InvalidRequest if one half is missing */
export function historyCursor(lt: bigint | undefined, hash: Uint8Array | undefined): HistoryCursor | null {
  if (lt === undefined && hash === undefined) return null;
  if (lt === undefined || hash === undefined) throw new InvalidRequest('lt and hash should be used together');
  return { lt, hash };
}
