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
import { KEYS_PER_PARAMETER } from './keys.ts';
import { keysWith, toBuffer } from './look-ups.ts';
import type { RawRow } from './scope.ts';

const OF_OWNER = getTokenLookUp('tokens_by_owner', 'token_of_owner');
const OF_PARENT = getTokenLookUp('tokens_by_parent', 'token_of_parent');
const BY_FIRST = getTokenLookUp('token_firsts', 'parent_by_first');
const toOwnerKey = keyBuilder(OF_OWNER);
const toParentKey = keyBuilder(OF_PARENT);
const toFirstKey = keyBuilder(BY_FIRST);

/** What tokens of a list have in common. */
interface Wanted {
  readonly kind: EnumName<typeof TOKEN_KIND>;
  readonly owners?: readonly AccountId[];
  readonly parents?: readonly AccountId[];
  /** Position by first appearance: only tokens after it. */
  readonly after?:
    | { readonly since: number; readonly account: string; readonly workchain: number }
    | null
    | undefined;
}

/** Bytes in keys. */
const KIND_BYTES = 1;
const STEP_BYTES = 4;
const WORKCHAIN_BYTES = 4;

/**
 * Accounts that owners own or owned, from the look-up index; one that came to an owner twice may be there twice. Null:
 * more than a statement takes. Undefined: a statement has to find them.
 */
export function findOwned(
  scope: IndexScope,
  source: ContractDatabases,
  { kind, owners = [] }: Wanted,
): readonly AccountId[] | null | undefined {
  const both = openBoth(scope, source, OF_OWNER);
  if (!both) return undefined;
  const owned: AccountId[] = [];
  let left = KEYS_PER_PARAMETER + 1;
  for (const { lookUps, name } of both)
    for (const { hash, workchain } of owners) {
      const rows = lookUps.range(name, keysWith(toOwnerKey(toId(hash), workchain, toCode(kind))), left);
      for (const { key, step } of rows)
        if (step <= source.visible.last) owned.push(readAccount(toBuffer(key), ACCOUNT_BYTES + KIND_BYTES));
      left -= rows.length;
      if (left === 0) return null;
    }
  return knowsAllVisible(both) ? owned : undefined;
}

/** Bounds of keys, and the place of the step in each. */
interface FirstKeys {
  readonly from: Buffer;
  readonly below: Buffer;
  readonly stepPlace: number;
}

/** Rows beyond a limit: those of one account id in several workchains, whose order is not that of statements, stay together. */
const SPARE = 4;

/**
 * The next tokens of a parent, or the next masters or collections, by first appearance after a position, from the
 * look-up index: 1 for a token that get methods identified and 0 for others, step, account, workchain, 1. Null: a
 * statement has to find them.
 */
export function findCandidates(
  scope: IndexScope,
  source: ContractDatabases,
  filter: Wanted,
  limit: number,
): readonly RawRow[] | null {
  const { kind, parents = [] } = filter;
  const isChild = kind === 'jetton_wallet' || kind === 'nft_item';
  const both = openBoth(scope, source, parents.length > 0 ? OF_PARENT : BY_FIRST);
  // The index has no children of all parents by first appearance.
  if (!both || (isChild && parents.length === 0)) return null;
  const keys = toKeys(source, filter);
  const parts = both.map((one) => readFirsts(one, keys, filter, limit));
  if (!parts.every((part) => part !== null) || !knowsAllVisible(both)) return null;
  return parts.flat();
}

function toKeys({ visible }: ContractDatabases, { kind, parents: [parent] = [], after }: Wanted): FirstKeys {
  const toKey = (...rest: readonly (number | Buffer)[]) =>
    parent
      ? toParentKey(toId(parent.hash), parent.workchain, toCode(kind), ...rest)
      : toFirstKey(toCode(kind), ...rest);
  return {
    from: after ? toKey(after.since, toId(after.account)) : toKey(),
    below: keysWith(toKey(visible.last)).below,
    stepPlace: toKey().length,
  };
}

/** The candidates in one database; null if so many are not certain. */
function readFirsts(
  { lookUps, name, isDetected }: ContractLookUps,
  { from, below, stepPlace }: FirstKeys,
  { after }: Wanted,
  limit: number,
): readonly RawRow[] | null {
  const rows = lookUps.range(name, { from, below }, limit + SPARE).map(({ key }) => toBuffer(key));
  const withoutWorkchain = (key: Buffer) => key.subarray(0, -WORKCHAIN_BYTES);
  const cut = rows.length === limit + SPARE ? withoutWorkchain(rows.at(-1)!) : null;
  const found: RawRow[] = [];
  for (const key of rows) {
    if (cut?.equals(withoutWorkchain(key))) break;
    const since = key.readUInt32BE(stepPlace);
    const { hash, workchain } = readAccount(key, stepPlace + STEP_BYTES);
    const isAtEnd = after && since === after.since && hash === after.account && workchain <= after.workchain;
    if (!isAtEnd) found.push([Number(isDetected), since, hash, workchain, 1]);
  }
  return cut && found.length < limit ? null : found;
}

/** True if get methods identified children of a list's only parent. Null: a statement has to find out. */
export function hasDetectedChildren(
  scope: IndexScope,
  source: ContractDatabases,
  { kind, parents: [parent] = [] }: Wanted,
): boolean | null {
  const both = openBoth(scope, source, OF_PARENT);
  if (!both || !parent) return null;
  const keys = keysWith(toParentKey(toId(parent.hash), parent.workchain, toCode(kind)));
  const found = both.some(
    ({ lookUps, name, isDetected }) => isDetected && lookUps.range(name, keys, 1).length > 0,
  );
  return knowsAllVisible(both) ? found : null;
}
