import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { UNKNOWN_OUTCOME } from '../../ton/contracts/unknown-outcome.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { Candidate, DetectionFamily, DetectionStore, EndedCandidate } from './detection.ts';
import { unknownCodesSql } from './unknown-codes.ts';

type Family<K extends string = string> = DetectionFamily<K>;

/** Which newest states are examined. */
export interface CandidateRange {
  /** Steps of the states, both inclusive. */
  readonly first: number;
  readonly last: number;
  /** True if states with an unknown outcome are examined again. */
  readonly isRetry: boolean;
  /** Only children of these parents under known codes. Default: all candidates. */
  readonly childrenOf?: readonly AccountAddress[];
}

/** The last candidate of a page: the next page follows it. */
export type CandidatePlace = Pick<Candidate, 'lt' | 'account'>;

/** Position, workchain, account, lt, hashes of code and data, whether queued, a known child, and retried. */
type CandidateValues = readonly [number, number, string, string, string, string, unknown, unknown, unknown];

const QUERY = { route: 'detections/candidates', ...RANGE_QUERY } as const;

const literal = ({ workchain, address }: AccountAddress): string =>
  `(unhex('${Buffer.from(address).toString('hex')}'), ${Math.trunc(workchain)})`;

/** Accounts of a kind by their newest states. */
function foundSql({ table, isFound }: Family['newest'], database: string, of = '1'): string {
  return `(SELECT account, workchain, kind, ${isFound} AS is_found FROM ${database}.${table} WHERE ${of} ORDER BY lt DESC LIMIT 1 BY account, workchain, kind) WHERE is_found`;
}

/** Statement for the accounts under known codes whose parents were detected; null if the family has none. */
function knownChildrenSql(
  { newest, children }: Family,
  { detections, contracts }: DetectionStore,
  parents?: readonly AccountAddress[],
): string | null {
  if (!children) return null;
  if (parents)
    return children.known(
      contracts,
      `SELECT p.1, p.2 FROM (SELECT arrayJoin([${parents.map(literal).join(', ')}]) AS p)`,
    );
  const found = foundSql(newest, detections);
  return children.known(contracts, `SELECT account, workchain FROM ${found} AND kind = '${children.parent}'`);
}

/**
 * Reads a page of accounts whose newest state was not examined, newest first. They are under queued codes, or are items
 * and orders under known codes whose parent was detected, or were of a kind before.
 */
export async function readCandidates(
  store: DetectionStore,
  family: Family,
  { first, last, isRetry, childrenOf }: CandidateRange,
  { after, limit }: { readonly after: CandidatePlace | null; readonly limit: number },
): Promise<Candidate[]> {
  const { client, states, detections } = store;
  const table = `${detections}.${family.outcomes}`;
  const isQueued = `status = 'active' AND code_hash IN (SELECT code_hash FROM (${unknownCodesSql(family.methods, store.contracts, store.network)}))`;
  const children = knownChildrenSql(family, store, childrenOf);
  const isKnownChild = children ? `(account, workchain) IN (${children})` : '0';
  const wasFound = `(account, workchain) IN (SELECT account, workchain FROM ${foundSql(family.newest, detections)})`;
  const wanted = childrenOf ? isKnownChild : `(${isQueued} OR ${isKnownChild} OR ${wasFound})`;
  const within = `state_seqno BETWEEN ${first} AND ${last}`;
  const examined = (which: string) =>
    `(account, workchain, lt) IN (SELECT account, workchain, lt FROM ${table} WHERE ${within} AND ${which})`;
  const isUnknown = `startsWith(reason, '${UNKNOWN_OUTCOME}')`;
  const behind = after
    ? `AND (accounts_latest.lt, account, workchain) < (${after.lt}, ${literal(after.account).slice(1)}`
    : '';
  const { rows } = await client.queryRows<[...CandidateValues]>(
    `SELECT mc_seqno, workchain, hex(account), toString(lt), hex(code_hash), hex(data_hash), ${isQueued}, ${isKnownChild},
       ${isRetry ? examined(isUnknown) : '0'}
     FROM ${states}.accounts_latest
     WHERE mc_seqno BETWEEN ${first} AND ${last} ${behind} AND ${wanted} AND NOT ${examined(isRetry ? `NOT ${isUnknown}` : '1')}
     ORDER BY accounts_latest.lt DESC, account DESC, workchain DESC LIMIT 1 BY account, workchain LIMIT ${limit}`,
    { ...QUERY, maxRows: limit },
  );
  return rows.map(([position, workchain, account, lt, code, data, queued, knownChild, retried]) => ({
    position,
    account: { workchain, address: Buffer.from(account, 'hex') },
    lt: BigInt(lt),
    codeHash: Buffer.from(code, 'hex'),
    dataHash: Buffer.from(data, 'hex'),
    isQueued: Boolean(queued),
    isKnownChild: Boolean(knownChild),
    isRetried: Boolean(retried),
  }));
}

/** Workchain, account, then lt, position and hashes of its last state, then lt and position of its end. */
type EndedValues = readonly [number, string, string, number, string, string, string, number];

/**
 * Reads a page of accounts under queued codes that received transfers in some steps and ended without an outcome for
 * their end, each with its last state after a masterchain block, newest first.
 */
export async function readEnded(
  store: DetectionStore,
  { outcomes, methods }: Family,
  { first, last }: Pick<CandidateRange, 'first' | 'last'>,
  { after, limit }: { readonly after: CandidatePlace | null; readonly limit: number },
): Promise<EndedCandidate[]> {
  const { client, states, contracts, detections } = store;
  const received = `SELECT account, workchain FROM ${contracts}.token_transfers WHERE mc_seqno BETWEEN ${first} AND ${last} AND NOT has_parent`;
  const checked = `SELECT account, workchain, lt FROM ${detections}.${outcomes} WHERE (account, workchain) IN (${received})`;
  const isOne = `(status = 'active' AND code_hash IN (SELECT code_hash FROM (${unknownCodesSql(methods, store.contracts, store.network)})))`;
  const behind = after
    ? `AND (maxIf(lt, is_one), account, workchain) < (${after.lt}, ${literal(after.account).slice(1)}`
    : '';
  const { rows } = await client.queryRows<[...EndedValues]>(
    `SELECT workchain, hex(account), toString(maxIf(lt, is_one)), argMaxIf(mc_seqno, lt, is_one),
       hex(argMaxIf(code_hash, lt, is_one)), hex(argMaxIf(data_hash, lt, is_one)), toString(max(lt)), argMax(mc_seqno, lt)
     FROM (SELECT mc_seqno, workchain, account, lt, status, code_hash, data_hash, ${isOne} AS is_one FROM ${states}.account_states
       WHERE mc_seqno <= ${last} AND (account, workchain) IN (${received}))
     GROUP BY account, workchain
     HAVING countIf(is_one) > 0 AND argMax(status, lt) = 'nonexist' AND (account, workchain, max(lt)) NOT IN (${checked}) ${behind}
     ORDER BY maxIf(lt, is_one) DESC, account DESC, workchain DESC LIMIT ${limit}`,
    { ...QUERY, maxRows: limit },
  );
  return rows.map(([workchain, account, lt, position, code, data, endLt, endPosition]) => ({
    position,
    account: { workchain, address: Buffer.from(account, 'hex') },
    lt: BigInt(lt),
    codeHash: Buffer.from(code, 'hex'),
    dataHash: Buffer.from(data, 'hex'),
    end: { position: endPosition, lt: BigInt(endLt) },
  }));
}

/** Kinds that accounts were found to be; those that are none are absent. Keys: `workchain:hash`, lower case. */
export async function readDetectedKinds<K extends string>(
  { client, detections }: DetectionStore,
  { newest }: Family<K>,
  accounts: readonly AccountAddress[],
): Promise<ReadonlyMap<string, readonly K[]>> {
  if (accounts.length === 0) return new Map();
  const among = `(account, workchain) IN (${accounts.map(literal).join(',')})`;
  const { rows } = await client.queryRows<[string, K[]]>(
    `SELECT concat(toString(workchain), ':', lower(hex(account))), groupArray(toString(kind))
     FROM ${foundSql(newest, detections, among)} GROUP BY account, workchain`,
    { ...QUERY, maxRows: accounts.length },
  );
  return new Map(rows);
}

/** Returns true if a newest outcome of an account and kind is unknown. */
export async function hasUnknown(
  { client, detections }: DetectionStore,
  { outcomes }: Family,
): Promise<boolean> {
  const newest = `SELECT account, workchain, kind, argMax(reason, (lt, mc_seqno)) AS newest FROM ${detections}.${outcomes} GROUP BY account, workchain, kind`;
  const { rows } = await client.queryRows(
    `SELECT 1 FROM (${newest}) WHERE startsWith(newest, '${UNKNOWN_OUTCOME}') LIMIT 1`,
    { ...QUERY },
  );
  return rows.length > 0;
}
