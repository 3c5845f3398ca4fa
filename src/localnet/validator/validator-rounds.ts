import type { Cell } from '../../ton/cell/cell.ts';
import { cellWith } from '../../ton/cell/cell-builder.ts';
import { keyId } from '../../ton/proofs/key-id.ts';
import { storeValidatorSet } from '../../ton/store/store-validator-set.ts';
import type { ValidatorSet } from '../../ton/tlb/validator-set.ts';
import { deriveKey, type KeyPair } from '../wallets/key-pair.ts';

/** Parameters of the previous, current and next set, each also as a temporary one. */
export const VALIDATOR_PARAMS: readonly number[] = [32, 33, 34, 35, 36, 37];

/** Seconds that a set validates: `validators_elected_for` of parameter 15 (base-config.ts). */
const ROUND_SECONDS = 65_536;
/** Weight of the only validator. */
export const VALIDATOR_WEIGHT = 1n << 40n;

/** A configuration parameter with its value. */
export interface Param {
  readonly param: number;
  readonly cell: Cell;
}

/** The development key that signs the masterchain blocks of a chain: it follows from the seed. */
export function validatorKey(seed: string): KeyPair {
  return deriveKey(seed, 'validator');
}

/** Validator parameters of the genesis: one validator, in the round that begins with the zerostate. */
export function genesisValidators({ publicKey }: Pick<KeyPair, 'publicKey'>, utime: number): Param[] {
  const list = [{ publicKey, weight: VALIDATOR_WEIGHT, adnl: keyId(publicKey) }];
  const times = { since: utime, until: utime + ROUND_SECONDS };
  return roundParams({ ...times, total: 1, main: 1, totalWeight: VALIDATOR_WEIGHT, list });
}

/**
 * Validator parameters that a block of this time begins a new round with; none while the current round lasts. The same
 * validators stay. Rounds that no block fell into are skipped.
 */
export function nextRound(set: ValidatorSet, utime: number): Param[] {
  const seconds = set.until - set.since;
  if (utime < set.until || seconds <= 0) return [];
  const since = set.since + Math.floor((utime - set.since) / seconds) * seconds;
  return roundParams({ ...set, since, until: since + seconds });
}

/** Parameters 32 to 37 in the round of a set: before and after it the same validators. */
function roundParams(current: ValidatorSet): Param[] {
  const seconds = current.until - current.since;
  const [previous, now, next] = [-1, 0, 1].map((rounds) =>
    cellWith(storeValidatorSet, {
      ...current,
      since: current.since + rounds * seconds,
      until: current.until + rounds * seconds,
    }),
  );
  const cells = [previous!, previous!, now!, now!, next!, next!];
  return VALIDATOR_PARAMS.map((param, index) => ({ param, cell: cells[index]! }));
}
