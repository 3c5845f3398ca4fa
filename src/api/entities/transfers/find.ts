import { type AccountId, accountOfRaw, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import { parts } from '../../query/keys.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { chooseStrategy, type Strategy } from '../../query/strategy.ts';
import { type TokenScope, tokenSource } from '../tokens/filter.ts';
import { namedByParents } from '../tokens/newest.ts';
import {
  chooseTransfers,
  firstKeys,
  isByAccount,
  type KeyedTransfers,
  type TransferFilter,
  type TransferPlace,
} from './filter.ts';
import { findTransfers } from './indexed.ts';
import { type TransferRow, transferRows } from './model.ts';
import {
  planDetectedReceivers,
  planTransferFloor,
  planTransferKeys,
  planTransfers,
  planTransfersByKey,
  receiverKind,
  type TransfersAmong,
} from './plan.ts';

/** Factor of the next read where filters left too few of the keys. */
const MORE = 8;
/** Rows beyond a page: some are not named by a parent. */
const OVERFETCH = 20;
/** Keys of one statement: some 90 bytes each in its parameters, of which the server takes 128 KiB. */
const MAX_KEYS = 1_000;

/** A way to read a list. */
interface TransferStrategy extends Strategy<TransferFilter> {
  read(scope: TokenScope, filter: TransferFilter, page: Page): Promise<readonly TransferRow[]>;
}

const STRATEGIES: readonly TransferStrategy[] = [
  { name: 'by account', fits: isByAccount, read: readByAccount },
  { name: 'all', fits: () => true, read: readOfAll },
];

/** Transfers of a filter, a page of them. */
export async function readTransfers(
  scope: TokenScope,
  filter: TransferFilter,
  page: Page,
): Promise<readonly TransferRow[]> {
  return chooseStrategy(STRATEGIES, filter).read(scope, filter, page);
}

/**
 * Transfers from the look-up index without a statement. Otherwise keys from the table of keys, then their rows, more only if
 * that table lacks a filter and its first keys held too few. One query more for uncached parents.
 */
async function readByAccount(
  scope: TokenScope,
  filter: TransferFilter,
  page: Page,
): Promise<readonly TransferRow[]> {
  const source = tokenSource(scope);
  const wanted = page.limit + page.offset;
  const indexed = findTransfers(scope, source, filter, { ...page, limit: wanted + OVERFETCH, offset: 0 });
  if (indexed) {
    const named = await filterDetected(scope, filter, indexed.rows, false);
    if (indexed.isAll || named.length >= wanted) return named.slice(page.offset, wanted);
  }
  // The pages of a scan are as of steps of their own.
  const isNamed = filter.scan !== undefined;
  const found: TransferRow[] = [];
  for (let at = 0, count = wanted + OVERFETCH; found.length < wanted; at += count, count *= MORE) {
    const part = { ...page, offset: at, limit: count };
    const keys = firstKeys(await scope.query(planTransferKeys(source, filter, part)), filter, part);
    for (let from = 0; from < keys.length && found.length < wanted; from += MAX_KEYS) {
      const some = keys.slice(from, from + MAX_KEYS);
      const read = await readKeyed(scope, { source, filter, page, keys: some }, isNamed);
      found.push(...(await filterDetected(scope, filter, read, isNamed)));
    }
    if (keys.length < count) break;
  }
  return found.slice(page.offset, wanted);
}

/**
 * A page of a list without accounts. The codes of all parents are a long list: it is read only if a few spare rows do
 * not replace those without a naming parent, if many rows would be sent, or for the steps of a scan.
 */
async function readOfAll(
  scope: TokenScope,
  filter: TransferFilter,
  page: Page,
): Promise<readonly TransferRow[]> {
  const wanted = page.limit + page.offset;
  if (!filter.scan && wanted <= MAX_KEYS) {
    const first = { ...page, offset: 0, limit: wanted + OVERFETCH };
    const rows = await readRows(scope, filter, first, { keys: null, isNamed: false });
    const named = await filterDetected(scope, filter, rows, false);
    if (named.length >= wanted || rows.length < first.limit) return named.slice(page.offset, wanted);
  }
  const rows = await readRows(scope, filter, page, { keys: null, isNamed: true });
  return filterDetected(scope, filter, rows, true);
}

/** Rows of keys. `isNamed`: the store leaves out those that no parent names, by the codes of all parents that there are. */
async function readKeyed(
  scope: TokenScope,
  keyed: KeyedTransfers,
  isNamed: boolean,
): Promise<readonly TransferRow[]> {
  const { source, filter, page, keys } = keyed;
  const all = { ...page, limit: keys.length, offset: 0 };
  if (isNamed) return readRows(scope, filter, all, { keys, isNamed });
  const rows = transferRows(await scope.queryBytes(planTransfersByKey(source, filter, keys)));
  return chooseTransfers(rows, keyed);
}

async function readRows(
  scope: TokenScope,
  filter: TransferFilter,
  page: Page,
  among: TransfersAmong,
): Promise<readonly TransferRow[]> {
  return transferRows(await scope.queryBytes(planTransfers(tokenSource(scope), filter, page, among)));
}

/**
 * Rows of wallets or items that their parents name, or that were detected (one query more if there may be such).
 * `isNamed`: the store omitted the others.
 */
async function filterDetected(
  scope: TokenScope,
  { kind, parents = [] }: TransferFilter,
  rows: readonly TransferRow[],
  isNamed: boolean,
): Promise<readonly TransferRow[]> {
  const children = rows.map((row) => ({ ...row, kind: receiverKind(kind) }));
  const known = isNamed
    ? children.filter(({ parent }) => parent !== null)
    : await namedByParents(scope, tokenSource(scope), children);
  if (known.length === rows.length) return known;
  const named = new Set(known);
  const open = children.filter((row) => !named.has(row)).map(({ address }) => accountOfRaw(address));
  const receivers = await readDetectedReceivers(scope, kind, distinctAccounts(open));
  const wanted = new Set(parents.map(rawAddress));
  return children.flatMap((row) => {
    if (named.has(row)) return [row];
    const token = receivers.get(row.address);
    if (!token || (wanted.size > 0 && !wanted.has(token.parent ?? ''))) return [];
    return [{ ...row, parent: token.parent, amount: kind === 'nft_transfer' ? token.index : row.amount }];
  });
}

/** Parent and index of a wallet or item, as its get methods return them. */
interface DetectedReceiver {
  readonly parent: string | null;
  readonly index: string;
}

/** Wallets and items among accounts that were detected, by raw address. */
async function readDetectedReceivers(
  scope: TokenScope,
  kind: TransferFilter['kind'],
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<string, DetectedReceiver>> {
  const { detected, ...source } = tokenSource(scope);
  if (detected === null || accounts.length === 0) return new Map();
  const read = (some: readonly AccountId[]) =>
    scope.query(planDetectedReceivers({ ...source, detected }, kind, some));
  const rows = (await Promise.all(parts(accounts).map(read))).flat();
  return new Map(
    rows.map(([workchain, hash, parent, index]) => [
      rawAddress({ workchain: Number(workchain), hash: String(hash) }),
      { parent: parent as string | null, index: String(index) },
    ]),
  );
}

/** One page of a scan; the scope sees only its steps. `newFrom`: as in TransferScan. */
export async function scanTransfers(
  scope: Pick<ReadScope<'base' | 'contracts'>, keyof TokenScope>,
  filter: TransferFilter,
  page: Page,
  { after, newFrom }: { readonly after: TransferPlace | null; readonly newFrom: number | null },
): Promise<readonly TransferRow[]> {
  const scanned = { ...filter, scan: { after, descending: page.descending, newFrom } };
  if (newFrom === null || after) return readTransfers(scope, scanned, page);
  const [[floor] = ['0']] = await scope.query(
    planTransferFloor(tokenSource(scope), scope.databases.base, filter.kind),
  );
  const { startLt = '0' } = filter;
  const least = BigInt(startLt) > BigInt(String(floor)) ? startLt : String(floor);
  return readTransfers(scope, { ...scanned, startLt: least }, page);
}
