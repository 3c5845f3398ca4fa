import type { EnumName } from '../../tables/column-type.ts';
import type { TOKEN_KIND } from '../../tables/contract-types.ts';
import { keyBuilder } from '../../tables/look-ups/look-ups.ts';
import type { AccountId } from './account-id.ts';
import {
  type ContractDatabases,
  type ContractLookUps,
  type IndexScope,
  knowsAllVisible,
} from './contract-look-ups.ts';
import { ACCOUNT_BYTES, getTokenLookUp, openBoth, readAccount, toCode, toId } from './indexed-tokens.ts';
import { type Keys, keysAfter, keysWith, toBuffer } from './look-ups.ts';
import type { RawRow } from './scope.ts';

const RANKED = getTokenLookUp('token_states', 'token_ranked');
const toKey = keyBuilder(RANKED);
/** Where the amount is in a key: after parent, kind and code. */
const AMOUNT_PLACE = 69;
const AMOUNT_BYTES = 32;
/** Where a place ends in a key: before the step. */
const PLACE_END = AMOUNT_PLACE + AMOUNT_BYTES + ACCOUNT_BYTES;
/** Keys that are read at a time besides those of the page. */
const SPARE = 32;
/** Keys of one list: more would hold up other answers. */
const MAX_ROWS = 1_500;

/** Which tokens of a parent are read, and from where on. */
export interface Ranking {
  readonly kind: EnumName<typeof TOKEN_KIND>;
  readonly parent: AccountId;
  readonly descending: boolean;
  /** Only places after this one. */
  readonly after?:
    | (Readonly<Record<'amount' | 'account', string>> & { readonly workchain: number })
    | null
    | undefined;
  /** Rows of each code. */
  readonly length: number;
  /** Codes of the tokens; `isDetected`: they are among those that get methods identified. */
  readonly codes: readonly RankedCode[];
}

/** A code whose tokens are ranked. */
interface RankedCode {
  readonly code: string;
  readonly isDetected: boolean;
  readonly isAboveZero: boolean;
}

/**
 * The next places of the tokens of a parent, as rows of a ranking (number of the code, amount, account, workchain, 1), from the
 * look-up index. Tokens may have left some of these places. Null: a statement has to find them.
 */
export function findRanked(
  scope: IndexScope,
  source: ContractDatabases,
  ranking: Ranking,
): readonly RawRow[] | null {
  const both = ranking.length > MAX_ROWS ? null : openBoth(scope, source, RANKED);
  if (!both) return null;
  const parts = ranking.codes.map((code, part) => {
    const one = both.find(({ isDetected }) => isDetected === code.isDetected);
    return one && readPart(one, ranking, code)?.map((row) => [part, ...row]);
  });
  return parts.every((rows) => rows !== undefined) && knowsAllVisible(both) ? parts.flat() : null;
}

/**
 * Rows of a ranking: amount, account, workchain, 1. A token that had other states at its place has several keys there. Undefined:
 * too many keys.
 */
function readPart(
  { lookUps, name, visible }: ContractLookUps,
  ranking: Ranking,
  code: RankedCode,
): RawRow[] | undefined {
  const { length, descending } = ranking;
  const limit = length + SPARE;
  const places = new Map<string, RawRow>();
  let bounds = toBounds(ranking, code);
  for (let left = MAX_ROWS; left >= limit; left -= limit) {
    const rows = lookUps.range(name, { ...bounds, isFalling: descending }, limit);
    for (const { key, step } of rows) {
      const place = toBuffer(key).subarray(AMOUNT_PLACE, PLACE_END);
      // A place that is not visible yet counts as one that the token has left.
      if (step <= visible.last) places.set(place.toString('latin1'), toPlaceRow(place));
    }
    if (rows.length < limit) return [...places.values()];
    // The keys of the last place may continue.
    if (places.size > length) return [...places.values()].slice(0, -1);
    bounds = keysAfter(bounds, rows.at(-1)!.key, descending);
  }
  return undefined;
}

function toPlaceRow(place: Buffer): RawRow {
  const { hash, workchain } = readAccount(place, AMOUNT_BYTES);
  return [`${BigInt(`0x${place.toString('hex', 0, AMOUNT_BYTES)}`)}`, hash, workchain, 1];
}

function toBounds({ kind, parent, after, descending }: Ranking, { code, isAboveZero }: RankedCode): Keys {
  const toPlace = (...rest: readonly (bigint | Buffer | number)[]) =>
    toKey(toId(parent.hash), parent.workchain, toCode(kind), toId(code), ...rest);
  const all = keysWith(toPlace());
  const bounds = isAboveZero ? { ...all, from: toPlace(1n) } : all;
  if (!after) return bounds;
  const place = toPlace(BigInt(after.amount), toId(after.account), after.workchain);
  return descending ? { ...bounds, below: place } : { ...bounds, from: keysWith(place).below };
}
