import type {
  ColdComparison,
  ColdInput,
  KnownRecord,
  LogRecord,
  RecordPart,
  StoreDatabase,
} from '../../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import type { AvroCodec } from '../../../platform/avro/avro-codec.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { StoreError } from '../../../platform/clickhouse/store-errors.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { sha256 } from '../../../ton/hash/sha256.ts';
import { KEY } from './look-ups.ts';
import { knownInRange } from './restore-blocks.ts';

const route = 'cold/blocks';
/** NO_SUCH_DATA_PART */
const NO_PART = 232;

/** Blocks of `raw_blocks` that may be dropped because sealed files of the log have them. One server only. */
export const COLD_BLOCKS: ColdInput = {
  parts: readParts,
  count: countBlocks,
  compare: compareBlocks,
  dropPart,
  missing: missingBlocks,
  extent: readExtent,
};

async function readParts({ client, database }: StoreDatabase): Promise<readonly RecordPart[]> {
  const { rows } = await client.queryRows<[string, number]>(
    `SELECT name, toUInt32(partition) FROM system.parts
     WHERE active AND rows > 0 AND database = {database:String} AND table = 'raw_blocks' ORDER BY name`,
    { route, params: { database }, maxRows: 1_000_000 },
  );
  return rows.map(([name, epoch]) => ({ name, epoch }));
}

async function countBlocks({ client, database }: StoreDatabase, parts: readonly string[]): Promise<number> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT count() FROM ${database}.raw_blocks WHERE _part IN {parts:Array(String)}`,
    { route, ...RANGE_QUERY, params: { parts } },
  );
  return Number(rows[0]?.[0] ?? 0);
}

async function compareBlocks(
  { client, database }: StoreDatabase,
  { parts, range: { first, last }, sealed, isComplete, codec }: ColdComparison,
): Promise<{ readonly records: number; readonly differing: string | null }> {
  const { rows } = await client.queryRows<[number, string, string, string]>(
    `SELECT mc_seqno, ${KEY}, lower(hex(root_hash)), lower(hex(SHA256(boc))) FROM ${database}.raw_blocks
     WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32} AND _part IN {parts:Array(String)}`,
    { route, ...RANGE_QUERY, params: { first, last, parts } },
  );
  const sums = readSums(sealed, codec);
  const differ = (differing: string) => ({ records: 0, differing });
  const names = new Set<string>();
  for (const [position, key, root, sum] of rows) {
    const name = nameBlock(key, position);
    const found = sums.get(name);
    if (!found) return differ(`${name} is in no sealed file`);
    if (found !== `${root} ${sum}`) return differ(`${name} has other bytes in a sealed file`);
    if (names.has(name)) return differ(`${name} is stored twice`);
    names.add(name);
  }
  const lacking = isComplete && [...sums.keys()].find((name) => !names.has(name));
  return lacking
    ? differ(`${lacking} is in a sealed file and not in the store`)
    : { records: rows.length, differing: null };
}

const nameBlock = (key: string, position: number): string => `block ${key} of masterchain ${position}`;

/** Root hash and SHA-256 of sealed blocks, by position and key. The first record of a block counts, as for consumers. */
function readSums(sealed: readonly LogRecord[], codec: AvroCodec): ReadonlyMap<string, string> {
  const sums = new Map<string, string>();
  for (const { key, position, value } of sealed) {
    const name = nameBlock(key, position);
    const datum = sums.has(name) ? null : codec.decode(value);
    if (datum?.kind !== 'raw-block') continue;
    const { root_hash, boc } = datum.value;
    sums.set(name, `${toHex(root_hash)} ${toHex(sha256(boc))}`);
  }
  return sums;
}

async function dropPart({ client, database }: StoreDatabase, name: string): Promise<boolean> {
  try {
    await client.command(`ALTER TABLE ${database}.raw_blocks DROP PART '${name}'`, { route });
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === NO_PART) return false;
    throw error;
  }
}

/** Blocks that are indexed and not in `raw_blocks`. */
async function missingBlocks(
  { client, database }: StoreDatabase,
  range: PositionRange,
): Promise<readonly KnownRecord[]> {
  const known = await knownInRange({ client, from: database, to: database }, range);
  return known.filter(({ isMissing }) => isMissing);
}

async function readExtent({ client, database }: StoreDatabase): Promise<PositionRange | null> {
  const { rows } = await client.queryRows<[string, number, number]>(
    `SELECT count(), min(mc_seqno), max(mc_seqno) FROM ${database}.raw_blocks`,
    { route, ...RANGE_QUERY },
  );
  const [count, first, last] = rows[0] ?? ['0', 0, 0];
  return count === '0' ? null : { first, last };
}
