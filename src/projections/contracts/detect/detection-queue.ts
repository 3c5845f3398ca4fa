import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import type { TokenKind } from '../../../ton/contracts/token-state.ts';
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

const route = 'contracts/detect';
const LONG = { route, timeoutMs: 600_000, maxMemoryBytes: 0 } as const;
const MOST_CODES = 100_000;

/** Condition that codes have the method of some token; a row has the ids of four bytes each. */
const HAS_METHOD = `arrayExists(i -> reinterpretAsUInt32(substring(methods, i * 4 + 1, 4)) IN (${Object.values(
  TOKEN_METHODS,
)
  .map(methodId)
  .join(', ')}), range(intDiv(length(methods), 4)))`;

/** Statement of codes that are not read from their cells and have the method of a token. */
export function unknownCodesSql(database: string): string {
  return `SELECT DISTINCT code_hash, methods FROM ${database}.codes WHERE NOT is_known AND ${HAS_METHOD}`;
}

/** Codes that are queued for their get methods: never guessed from the shape of data. */
export async function readUnknownCodes({ client, contracts }: DetectionStore): Promise<UnknownCodes> {
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT lower(hex(code_hash)), hex(methods) FROM (${unknownCodesSql(contracts)}) ORDER BY 1 LIMIT ${MOST_CODES}`,
    { ...LONG, maxRows: MOST_CODES },
  );
  return new Map(rows.map(([hash, methods]) => [hash, kindsOfMethods(idsOf(Buffer.from(methods, 'hex')))]));
}

function idsOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(i * 4));
}

/** Accounts under queued codes whose newest state nobody has looked at, newest first. */
export async function readCandidates(
  { client, network, states, contracts }: DetectionStore,
  { first, last }: CandidateRange,
  limit: number,
): Promise<Candidate[]> {
  const within = `mc_seqno BETWEEN ${first} AND ${last}`;
  const { rows } = await client.queryRows<[number, number, string, string, string, string]>(
    `SELECT mc_seqno, workchain, hex(account), toString(lt), hex(code_hash), hex(data_hash) FROM ${states}.accounts_latest
     WHERE ${within} AND status = 'active'
       AND code_hash IN (SELECT code_hash FROM (${unknownCodesSql(contracts)}))
       AND (account, workchain, lt) NOT IN (SELECT account, workchain, lt FROM ${metaDatabase(network)}.detections WHERE ${within})
     ORDER BY accounts_latest.lt DESC LIMIT 1 BY account, workchain LIMIT ${limit}`,
    { ...LONG, maxRows: limit },
  );
  return rows.map(([position, workchain, account, lt, code, data]) => ({
    position,
    account: { workchain, address: Buffer.from(account, 'hex') },
    lt: BigInt(lt),
    codeHash: Buffer.from(code, 'hex'),
    dataHash: Buffer.from(data, 'hex'),
  }));
}
