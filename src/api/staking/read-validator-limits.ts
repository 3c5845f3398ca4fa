import type { CellSlice } from '../../ton/boc/cell-slice.ts';
import { openBag } from '../../ton/boc/open-bag.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { notHeld } from '../chain/need-chain.ts';
import { toNumbers } from '../query/keys.ts';
import type { ReadScope } from '../query/scope.ts';
import { identifier, sql, u32 } from '../query/sql.ts';
import { configAt, paramBag } from './read-validator-sets.ts';

const PARAMS = [15, 16, 17] as const;

/** Limits of elections and validators, by the names of v3-more.md 4; amounts decimal, times in seconds. */
export interface ValidatorLimits {
  readonly validators_elected_for: number;
  readonly elections_start_before: number;
  readonly elections_end_before: number;
  readonly stake_held_for: number;
  readonly max_validators: number;
  readonly max_main_validators: number;
  readonly min_validators: number;
  readonly min_stake_limit: string;
  readonly max_stake_limit: string;
  readonly min_total_stake: string;
  readonly max_stake_factor: number;
}

/** Parameters 15 to 17 of a key block, or of the configuration in force if there is none. @throws HttpError 500 */
export async function readValidatorLimits(scope: ReadScope, seqno: number): Promise<ValidatorLimits> {
  const rows = await scope.query(
    sql`SELECT param, base64Encode(boc) FROM ${identifier(scope.databases.base, 'config_params')} WHERE param IN ${toNumbers(PARAMS.map(BigInt))} AND mc_seqno = ${u32(seqno)}`,
  );
  const bags = new Map(rows.map(([param, bag]) => [Number(param), fromBase64(String(bag))]));
  const config = bags.size === 0 ? await configAt(scope, seqno) : null;
  const [times, counts, stakes] = PARAMS.map((param) => {
    const bag = bags.get(param) ?? (config && paramBag(config, param));
    if (!bag) throw notHeld(`parameter ${param} of masterchain block ${seqno} is not in the index`);
    return openBag(bag);
  }) as [CellSlice, CellSlice, CellSlice];
  return {
    validators_elected_for: times.uint(32),
    elections_start_before: times.uint(32),
    elections_end_before: times.uint(32),
    stake_held_for: times.uint(32),
    max_validators: counts.uint(16),
    max_main_validators: counts.uint(16),
    min_validators: counts.uint(16),
    min_stake_limit: `${stakes.coins()}`,
    max_stake_limit: `${stakes.coins()}`,
    min_total_stake: `${stakes.coins()}`,
    max_stake_factor: stakes.uint(32),
  };
}
