import { int32 } from '../../parameters/integer.ts';
import { optional, withDefault } from '../../parameters/parameter.ts';
import { InvalidRequest } from '../errors.ts';
import { BLOCK_PARAMETERS } from './block-parameters.ts';
import { ACCOUNT_ID, LOGICAL_TIME } from './forms.ts';

/** Parameters of both listings of a block's transactions. */
export const BLOCK_LIST_PARAMETERS = {
  ...BLOCK_PARAMETERS,
  after_lt: optional(LOGICAL_TIME, 'lt of the last entry of the previous page'),
  after_hash: optional(ACCOUNT_ID, 'account id of the last entry of the previous page'),
  count: withDefault(int32({ sign: 'positive', atMost: 10_000 }), 40, 'entries of a page'),
};

/** The last entry of the page before. */
export interface BlockCursor {
  readonly account: Uint8Array;
  readonly lt: bigint;
}

/** @throws InvalidRequest if one half is missing */
export function blockCursor(lt: bigint | undefined, account: Uint8Array | undefined): BlockCursor | null {
  if (lt === undefined && account === undefined) return null;
  if (lt === undefined || account === undefined) {
    throw new InvalidRequest('after_lt and after_hash should be used together');
  }
  return { lt, account };
}
