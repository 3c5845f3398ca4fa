import { enumCodes } from '../../../tables/column-type.ts';
import { TRANSFER_KIND } from '../../../tables/contract-types.ts';
import { getLookUp, keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import {
  TRANSFER_KEY_TARGET,
  TRANSFER_ROLE,
  TRANSFER_TARGET,
} from '../../../tables/transfers/token-transfers.ts';
import type { LookUps } from '../../look-up-port.ts';
import type { IndexScope } from '../../query/contract-look-ups.ts';
import { hasDetectedChildren } from '../../query/indexed-token-lists.ts';
import { toId } from '../../query/indexed-tokens.ts';
import { getLookUps, keysWith, knowsAllUpTo, toBuffer } from '../../query/look-ups.ts';
import type { Page } from '../../query/page.ts';
import type { TokenSource } from '../tokens/filter.ts';
import { chooseTransfers, compareKeys, isByTime, type TransferFilter, type TransferKey } from './filter.ts';
import { readTransfer, type TransferRole, type TransferRow } from './model.ts';
import { chooseIndex, receiverKind } from './plan.ts';

const OF_ACCOUNT = getLookUp(TRANSFER_KEY_TARGET, 'transfers_of_account');
const BY_PLACE = getLookUp(TRANSFER_TARGET, 'transfer_by_place');
const toAccountKey = keyBuilder(OF_ACCOUNT);
const toPlaceKey = keyBuilder(BY_PLACE);
const KINDS = enumCodes(TRANSFER_KIND);
const ROLES = enumCodes(TRANSFER_ROLE);
const ID_BYTES = 32;
/** The id of an absent party, and of the zero address. */
const NO_ID = '0'.repeat(64);
/** Before the lt in keys: an account, a kind and a role. */
const LT_PLACE = ID_BYTES + 2;
/** A statement takes less time for more keys. */
const MAX_KEYS = 1_024;

/** The first transfers of a list. */
export interface IndexedTransfers {
  readonly rows: readonly TransferRow[];
  /** True if the list has no more. */
  readonly isAll: boolean;
}

/** Transfers of one account in one role. */
interface Stream {
  readonly keys: readonly TransferKey[];
  /** The lt from which on keys may be missing; null: all keys were read. */
  readonly end: bigint | null;
}

/**
 * The first transfers of a list of accounts by lt, from the look-up index. Null: a statement has to find them. The page is
 * the one that is read, from the start of the list.
 */
export function findTransfers(
  scope: IndexScope,
  source: TokenSource,
  filter: TransferFilter,
  page: Page,
): IndexedTransfers | null {
  const streams = isByTime(filter) || filter.scan ? [] : listStreams(filter);
  if (streams.length === 0 || streams.length * page.limit > MAX_KEYS) return null;
  if (mayHaveDetected(scope, source, filter)) return null;
  const lookUps = getLookUps(scope, source.database, OF_ACCOUNT.lookUp.name);
  if (!lookUps?.has(BY_PLACE.lookUp.name)) return null;
  const read = streams.map(([id, role]) => readStream(lookUps, source, { filter, page, id, role }));
  const certain = certainKeys(read, page).toSorted(compareKeys(filter, page));
  const keys = certain.slice(0, page.limit);
  const rows: TransferRow[] = [];
  for (const key of keys) {
    const row = readRow(lookUps, filter, key);
    if (!row) return null;
    rows.push(row);
  }
  // Asked afterwards: a step that left the index meanwhile would hide its transfers.
  if (!knowsAllUpTo(lookUps, source.visible)) return null;
  return {
    rows: chooseTransfers(rows, { source, filter, page, keys }),
    isAll: certain.length === keys.length && read.every(({ end }) => end === null),
  };
}

/** Account ids and roles that are read one by one; none for the zero address, which the index does not have. */
function listStreams(filter: TransferFilter): readonly (readonly [id: Buffer, role: TransferRole])[] {
  const [accounts, roles] = chooseIndex(filter);
  const ids = [...new Set(accounts.map(({ hash }) => hash))];
  if (ids.includes(NO_ID)) return [];
  return ids.flatMap((hash) => roles.map((role) => [toId(hash), role] as const));
}

/** True if transfers of a parent may be those of detected wallets or items, which do not name it. */
function mayHaveDetected(scope: IndexScope, source: TokenSource, filter: TransferFilter): boolean {
  const { kind, parents = [] } = filter;
  const [accounts] = chooseIndex(filter);
  if (accounts !== parents || source.detected === null) return false;
  const isDetected = (parent: (typeof parents)[number]) =>
    hasDetectedChildren(scope, source, { kind: receiverKind(kind), parents: [parent] }) !== false;
  return parents.some(isDetected);
}

interface StreamRead {
  readonly filter: TransferFilter;
  readonly page: Page;
  readonly id: Buffer;
  readonly role: TransferRole;
}

function readStream(
  lookUps: LookUps,
  { visible }: TokenSource,
  { filter: { kind, startLt, endLt }, page, id, role }: StreamRead,
): Stream {
  const toKey = (...lt: readonly bigint[]) => toAccountKey(id, KINDS[kind], ROLES[role], ...lt);
  const bounds = {
    from: startLt === undefined ? toKey() : toKey(BigInt(startLt)),
    below: keysWith(endLt === undefined ? toKey() : toKey(BigInt(endLt))).below,
    isFalling: page.descending,
  };
  const rows = lookUps.range(OF_ACCOUNT.lookUp.name, bounds, page.limit);
  const isCut = rows.length === page.limit;
  return {
    keys: rows.filter(({ step }) => step <= visible.last).map(({ key }) => readKey(toBuffer(key))),
    end: isCut ? toBuffer(rows.at(-1)!.key).readBigUInt64BE(LT_PLACE) : null,
  };
}

function readKey(key: Buffer): TransferKey {
  const account = LT_PLACE + 8;
  const workchain = account + ID_BYTES;
  return {
    lt: `${key.readBigUInt64BE(LT_PLACE)}`,
    account: key.toString('hex', account, workchain).toUpperCase(),
    workchain: key.readInt32BE(workchain),
    now: key.readUInt32BE(workchain + 4),
  };
}

/** Keys before the first end of a stream, each once. */
function certainKeys(streams: readonly Stream[], { descending }: Page): readonly TransferKey[] {
  const ends = streams.flatMap(({ end }) => (end === null ? [] : [end]));
  const isCertain = ({ lt }: TransferKey) =>
    ends.every((end) => (descending ? BigInt(lt) > end : BigInt(lt) < end));
  const keys = streams.flatMap((stream) => stream.keys).filter(isCertain);
  return [...new Map(keys.map((key) => [`${key.lt} ${key.workchain}:${key.account}`, key])).values()];
}

/** Null if the index does not have the row. */
function readRow(
  lookUps: LookUps,
  { kind }: TransferFilter,
  { account, workchain, lt }: TransferKey,
): TransferRow | null {
  const id = toId(account);
  const row = lookUps.get(BY_PLACE.lookUp.name, toPlaceKey(KINDS[kind], id, workchain, BigInt(lt)));
  // A version without payloads has no value.
  if (!row || row.value.length === 0) return null;
  return readTransfer(new RowBinary(toBuffer(row.value)).string(), id);
}
