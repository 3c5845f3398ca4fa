import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import type { TokenKind } from '../../../ton/contracts/token-state.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import { methodId } from '../../../ton/tvm/get-method.ts';
import { type Candidate, kindsOfMethods, TOKEN_METHODS } from './detection.ts';

/** Databases that detection reads and writes. */
export interface DetectionStore {
  readonly client: StoreClient;
  readonly network: string;
  /** Database of the served version that has the newest states of accounts. */
  readonly states: string;
  /** Database of the served version of this projection. */
  readonly contracts: string;
}

/** Kinds that accounts may be, by code hash (lower-case hex). */
export type UnknownCodes = ReadonlyMap<string, readonly TokenKind[]>;

/** Steps whose newest states are looked at, both inclusive. */
export interface CandidateRange {
  readonly first: number;
  readonly last: number;
}

/** Position, workchain, account, lt, hashes of code and data, whether it is queued, whether it is a known item. */
type CandidateValues = readonly [number, number, string, string, string, string, unknown, unknown];

const route = 'contracts/detect';
const LONG = { route, timeoutMs: 600_000, maxMemoryBytes: 0 } as const;
const MOST_CODES = 100_000;

/** Condition that codes have the method of some token; a row has the ids of four bytes each. */
const HAS_METHOD = `arrayExists(i -> reinterpretAsUInt32(substring(methods, i * 4 + 1, 4)) IN (${Object.values(
  TOKEN_METHODS,
)
  .map(methodId)
  .join(', ')}), range(intDiv(length(methods), 4)))`;

/**
 * Statement of codes that are not read from their cells and have the method of a token. `found`: database of codes that were
 * looked up; null for none.
 */
export function unknownCodesSql(database: string, found: string | null): string {
  const of = (table: string) =>
    `SELECT code_hash, methods FROM ${table} WHERE NOT is_known AND ${HAS_METHOD}`;
  const tables = [`${database}.codes`, ...(found === null ? [] : [`${found}.found_codes`])];
  return `SELECT DISTINCT code_hash, methods FROM (${tables.map(of).join(' UNION ALL ')})`;
}

/** Codes that are queued for their get methods: never guessed from the shape of data. */
export async function readUnknownCodes({
  client,
  contracts,
  network,
}: DetectionStore): Promise<UnknownCodes> {
  const codes = unknownCodesSql(contracts, metaDatabase(network));
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT lower(hex(code_hash)), hex(methods) FROM (${codes}) ORDER BY 1 LIMIT ${MOST_CODES}`,
    { ...LONG, maxRows: MOST_CODES },
  );
  return new Map(rows.map(([hash, methods]) => [hash, kindsOfMethods(idsOf(Buffer.from(methods, 'hex')))]));
}

/** Tokens by their get methods: the newest outcomes that say so. */
function tokensSql(network: string, of = '1'): string {
  return `(SELECT account, workchain, kind, reason FROM ${metaDatabase(network)}.detections WHERE ${of} ORDER BY lt DESC LIMIT 1 BY account, workchain, kind) WHERE reason = ''`;
}

/** Items under known codes, of collections whose codes are not. */
function knownItemsSql(network: string, contracts: string): string {
  const collections = `SELECT account, workchain FROM ${tokensSql(network)} AND kind = 'nft_collection'`;
  return `SELECT account, workchain FROM ${contracts}.tokens_by_parent WHERE (parent, parent_workchain) IN (${collections}) AND kind = 'nft_item'`;
}

function idsOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(i * 4));
}

/**
 * Accounts whose newest state nobody has looked at, newest first: under queued codes, items under known codes whose collection
 * is one that its get methods alone tell, and what was a token before and may be none any more.
 */
export async function readCandidates(
  { client, network, states, contracts }: DetectionStore,
  { first, last }: CandidateRange,
  limit: number,
): Promise<Candidate[]> {
  const within = `mc_seqno BETWEEN ${first} AND ${last}`;
  const codes = unknownCodesSql(contracts, metaDatabase(network));
  const isQueued = `status = 'active' AND code_hash IN (SELECT code_hash FROM (${codes}))`;
  const isKnownItem = `(account, workchain) IN (${knownItemsSql(network, contracts)})`;
  const { rows } = await client.queryRows<[...CandidateValues]>(
    `SELECT mc_seqno, workchain, hex(account), toString(lt), hex(code_hash), hex(data_hash), ${isQueued}, ${isKnownItem}
     FROM ${states}.accounts_latest
     WHERE ${within} AND (${isQueued} OR ${isKnownItem}
       OR (account, workchain) IN (SELECT account, workchain FROM ${tokensSql(network)}))
       AND (account, workchain, lt) NOT IN (SELECT account, workchain, lt FROM ${metaDatabase(network)}.detections WHERE ${within})
     ORDER BY accounts_latest.lt DESC LIMIT 1 BY account, workchain LIMIT ${limit}`,
    { ...LONG, maxRows: limit },
  );
  return rows.map(([position, workchain, account, lt, code, data, queued, knownItem]) => ({
    position,
    account: { workchain, address: Buffer.from(account, 'hex') },
    lt: BigInt(lt),
    codeHash: Buffer.from(code, 'hex'),
    dataHash: Buffer.from(data, 'hex'),
    isQueued: Boolean(queued),
    isKnownItem: Boolean(knownItem),
  }));
}

/** Kinds that accounts were found to be; those that are none are absent. Keys: `workchain:hash`, lower case. */
export async function readDetectedKinds(
  { client, network }: DetectionStore,
  accounts: readonly AccountAddress[],
): Promise<ReadonlyMap<string, readonly TokenKind[]>> {
  if (accounts.length === 0) return new Map();
  const list = accounts.map(
    ({ workchain, address }) => `(unhex('${Buffer.from(address).toString('hex')}'),${workchain})`,
  );
  const { rows } = await client.queryRows<[string, TokenKind[]]>(
    `SELECT concat(toString(workchain), ':', lower(hex(account))), groupArray(toString(kind))
     FROM ${tokensSql(network, `(account, workchain) IN (${list.join(',')})`)} GROUP BY account, workchain`,
    { ...LONG, maxRows: accounts.length },
  );
  return new Map(rows);
}
