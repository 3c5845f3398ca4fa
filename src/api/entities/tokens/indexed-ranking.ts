import { keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import { type ContractLookUps, type IndexScope, knowsAllVisible } from '../../query/contract-look-ups.ts';
import { getTokenLookUp, openBoth, readAccount, toBuffer, toCode, toId } from '../../query/indexed-tokens.ts';
import { type Keys, keysWith } from '../../query/look-ups.ts';
import type { RawRow } from '../../query/scope.ts';
import type { TokenFilter, TokenList, TokenSource } from './filter.ts';
import { isDescending } from './model.ts';
import { CONFIRMED } from './plan.ts';

const RANKED = getTokenLookUp('token_states', 'token_ranked');
const toKey = keyBuilder(RANKED);
/** Where the amount is in a key: after parent, kind and code. */
const AMOUNT_PLACE = 69;
const AMOUNT_BYTES = 32;
const ACCOUNT_PLACE = AMOUNT_PLACE + AMOUNT_BYTES;
/** Key of a place: all but workchain and step. */
const PLACE_BYTES = ACCOUNT_PLACE + 32;
/** Rows beyond a limit: those of the last place stay together. */
const SPARE = 4;
/** Rows of one read: more would hold up other answers. */
const MAX_ROWS = 1_500;

/** Which places are read. */
interface RankedPlaces {
  /** Rows of `planChildCodes`: each has a ranking. */
  readonly codes: readonly string[];
  /** Of each ranking. */
  readonly length: number;
}

/**
 * The next places of a list's only parent, as rows of `planRanked`, from the look-up index: also places that tokens have left.
 * Null: a statement has to find them.
 */
export function findRanked(
  scope: IndexScope,
  source: TokenSource,
  list: TokenList,
  { codes, length }: RankedPlaces,
): readonly RawRow[] | null {
  const { amounts = [] } = list.filter;
  const both = amounts.length > 0 || length > MAX_ROWS ? null : openBoth(scope, source, RANKED);
  if (!both) return null;
  const parts = codes.map((code, part) => {
    const one = both.find(({ isDetected }) => isDetected === (code === CONFIRMED)) ?? both[0]!;
    const mayClaim = one.isDetected && source.claims !== null;
    const isAboveZero = list.filter.isAboveZero === true && !mayClaim;
    const own = { ...list, filter: { ...list.filter, isAboveZero } };
    return readPart(one, own, code, length)?.map((row) => [part, ...row]);
  });
  return parts.every((rows) => rows !== undefined) && knowsAllVisible(both) ? parts.flat() : null;
}

/** Rows of a ranking: amount, account, workchain, 1. Undefined: tokens returned to the last place too often. */
function readPart(
  { lookUps, name, visible }: ContractLookUps,
  list: TokenList,
  code: string,
  length: number,
): RawRow[] | undefined {
  const descending = isDescending(list);
  const bounds = { ...toBounds(list.filter, code, descending), isFalling: descending };
  const rows = lookUps.range(name, bounds, length + SPARE);
  const keys = rows.map(({ key }) => toBuffer(key));
  const toPlace = (key: Buffer) => key.subarray(0, PLACE_BYTES);
  const isCut = rows.length === length + SPARE;
  const whole = isCut ? keys.filter((key) => !toPlace(key).equals(toPlace(keys.at(-1)!))) : keys;
  if (isCut && whole.length < length) return undefined;
  return whole.map((key, i) => {
    const { hash, workchain } = readAccount(key, ACCOUNT_PLACE);
    const amount = BigInt(`0x${key.toString('hex', AMOUNT_PLACE, ACCOUNT_PLACE)}`);
    // A place that is not visible yet counts as one that the token has left.
    return [`${amount}`, hash, workchain, Number(rows[i]!.step <= visible.last)];
  });
}

function toBounds(
  { kind, parents = [], isAboveZero, after }: TokenFilter,
  code: string,
  descending: boolean,
): Keys {
  const [parent] = parents;
  const toPlace = (...rest: readonly (bigint | Buffer | number)[]) =>
    toKey(toId(parent!.hash), parent!.workchain, toCode(kind), toId(code), ...rest);
  const all = keysWith(toPlace());
  const bounds = isAboveZero ? { ...all, from: toPlace(1n) } : all;
  if (!after) return bounds;
  const place = toPlace(BigInt(after.amount), toId(after.account), after.workchain);
  return descending ? { ...bounds, below: place } : { ...bounds, from: keysWith(place).below };
}
