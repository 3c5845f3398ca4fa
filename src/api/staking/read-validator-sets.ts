import { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { readValidatorSet, type ValidatorSet } from '../../ton/contracts/elector/validator-set.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { configParam } from '../chain/config-param.ts';
import { readStoredConfig } from '../chain/stored-config.ts';
import { readNewestMasterchainBlock } from '../entities/blocks/masterchain.ts';
import { HttpError } from '../http/errors/http-error.ts';
import { toNumbers } from '../query/keys.ts';
import type { ReadScope } from '../query/scope.ts';
import { within } from '../query/scope.ts';
import { identifier, sql, texts } from '../query/sql.ts';

/** Parameters that hold validator sets: the previous, the current and the next one. */
const SETS = [32, 34, 36] as const;
const IS_SET = toNumbers(SETS.map(BigInt));
/** Sets that are read at a time; of mainnet 25 KB each. */
const CHUNK = 16;

/** A set as key blocks show it. Seqnos are of the masterchain. */
export interface ShownSet {
  readonly set: ValidatorSet;
  /** Key blocks of the index that show it first and last. */
  readonly first: number;
  readonly last: number;
  /** The key block after `last`, which no longer shows the set; null if there is none. */
  readonly next: number | null;
}

/**
 * Every set of the index, the last one in force first (or in the other order). Without an indexed key block, the sets
 * of the configuration in force, if it is held.
 */
export async function* validatorSets(scope: ReadScope, descending: boolean): AsyncGenerator<ShownSet> {
  const places = await readPlaces(scope);
  if (places.length === 0) yield* await setsInForce(scope, descending);
  if (!descending) places.reverse();
  for (let at = 0; at < places.length; at += CHUNK) {
    const part = places.slice(at, at + CHUNK);
    const sets = await readSets(scope, part);
    for (const { hash, first, last, next } of part) {
      const set = sets.get(hash);
      if (set) yield { set, first, last, next };
    }
  }
}

interface SetPlace {
  /** Base64. */
  readonly hash: string;
  readonly first: number;
  readonly last: number;
  readonly next: number | null;
}

/** Newest first; of one key block the next set before the current one, and that before the previous one. One query. */
async function readPlaces({ databases, visible, query }: ReadScope): Promise<SetPlace[]> {
  const table = identifier(databases.base, 'config_params');
  const keys = sql`SELECT arraySort(groupUniqArray(mc_seqno)) FROM ${table} WHERE param = 34 AND ${within(visible)}`;
  const rows = await query(
    sql`WITH (${keys}) AS keys SELECT base64Encode(hash), min(mc_seqno) AS a, max(mc_seqno) AS b, arrayFirst(k -> k > b, keys), argMin(param, mc_seqno) AS p FROM ${table} WHERE param IN ${IS_SET} AND ${within(visible)} GROUP BY hash ORDER BY a DESC, p DESC`,
  );
  return rows.map(([hash, first, last, next]) => ({
    hash: String(hash),
    first: Number(first),
    last: Number(last),
    next: Number(next) || null,
  }));
}

async function readSets(
  { databases, query }: ReadScope,
  places: readonly SetPlace[],
): Promise<Map<string, ValidatorSet>> {
  const steps = toNumbers(places.map(({ first }) => BigInt(first)));
  const hashes = texts(places.map(({ hash }) => hash));
  const rows = await query(
    sql`SELECT base64Encode(boc) FROM ${identifier(databases.base, 'config_params')} WHERE param IN ${IS_SET} AND mc_seqno IN ${steps} AND has(${hashes}, base64Encode(hash)) LIMIT 1 BY hash`,
  );
  const sets = rows.flatMap(([bag]) => readValidatorSet(fromBase64(String(bag))!) ?? []);
  return new Map(sets.map((set) => [set.hash, set]));
}

/** Without a key block, the sets of the configuration in force. */
async function setsInForce(scope: ReadScope, descending: boolean): Promise<ShownSet[]> {
  const config = await configAt(scope, scope.visible.last);
  const { first, last } = scope.visible;
  const sets = SETS.flatMap((param) => {
    const bag = config && paramBag(config, param);
    const set = bag && readValidatorSet(bag);
    return set ? [{ set, first, last, next: null }] : [];
  });
  return descending ? sets.reverse() : sets;
}

/** The configuration (base64) in force after a masterchain block; null if it is not held. */
export async function configAt(scope: ReadScope, seqno: number): Promise<string | null> {
  const block = await readNewestMasterchainBlock(scope, seqno);
  if (!block) return null;
  try {
    const key = block.key_block ? block.seqno : block.prev_key_block_seqno;
    return await readStoredConfig(scope, key, block.seqno);
  } catch (error) {
    if (error instanceof HttpError) return null;
    throw error;
  }
}

/** The bag of a parameter; null if the configuration has none. */
export function paramBag(config: string, param: number): Uint8Array | null {
  const slice = configParam(config, param);
  return slice && writeBag(new CellsOfBag(slice.boc).cell(slice.cell));
}
