import { HttpError } from '../../http/errors/http-error.ts';
import { parseHash } from '../../parameters/hash.ts';
import { documented } from '../../parameters/parameter.ts';
import { type AccountId, rawAddress } from '../../query/account-id.ts';
import { account, text } from './forms.ts';

/** Filters by a validator (v3-more.md 1). */
export const VALIDATOR_FILTERS = {
  stake_holder_address: account('Account that sent the stake; not with adnl_address.'),
  adnl_address: key('ADNL address of the validator.'),
  validator_pubkey: key('Public key of the validator.'),
} as const;

/** 64 upper-case hex digits and a raw address; undefined: any. */
export interface ValidatorFilter {
  readonly account: string | undefined;
  readonly adnl: string | undefined;
  readonly publicKey: string | undefined;
}

interface FilterValues {
  readonly stake_holder_address: AccountId | undefined;
  readonly adnl_address: string | undefined;
  readonly validator_pubkey: string | undefined;
}

function key(description: string) {
  return documented(text(`${description} 32 bytes as hex or base64.`), { format: 'ton-hash' });
}

/** @throws HttpError 422 */
export function validatorFilter(values: FilterValues): ValidatorFilter {
  if (values.stake_holder_address && values.adnl_address)
    throw new HttpError(422, 'provide either stake_holder_address or adnl_address, not both');
  return {
    account: values.stake_holder_address && rawAddress(values.stake_holder_address),
    adnl: parseKey(values.adnl_address, 'adnl_address'),
    publicKey: parseKey(values.validator_pubkey, 'validator_pubkey'),
  };
}

function parseKey(value: string | undefined, name: string): string | undefined {
  if (!value) return undefined;
  const digits = value.trim();
  // Padding may be left out of either alphabet.
  const padded = digits.length === 43 ? `${digits}=` : digits;
  const bytes = parseHash(padded, { hasPrefix: true, isTolerant: true });
  if (!bytes) throw new HttpError(422, `${name} must be a 32-byte value in hex, base64 or base64url format`);
  return bytes.toHex().toUpperCase();
}

/** Whether no validator is asked for. */
export function isAnyValidator({ account, adnl, publicKey }: ValidatorFilter): boolean {
  return account === undefined && adnl === undefined && publicKey === undefined;
}

/** Whether one validator passes every filter. */
export function isValidator(
  filter: ValidatorFilter,
  one: { readonly account?: string | undefined; readonly adnl: string | null; readonly publicKey: string },
): boolean {
  const { account: holder, adnl, publicKey } = filter;
  return (
    (holder === undefined || one.account === holder) &&
    (adnl === undefined || one.adnl === adnl) &&
    (publicKey === undefined || one.publicKey === publicKey)
  );
}

const MAX_WITH_MEMBERS = 100;

/** An answer with the members of each row has fewer rows. @throws HttpError 422 */
export function checkMembersLimit(limit: number, isRequested: boolean | undefined, name: string): void {
  if (isRequested && limit > MAX_WITH_MEMBERS)
    throw new HttpError(422, `limit must not exceed ${MAX_WITH_MEMBERS} when ${name} is true`);
}
