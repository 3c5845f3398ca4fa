import type { ConfiguredValidators } from '../../ton/proofs/configured-validators.ts';
import { masterchainSubset, validatorListHash } from '../../ton/proofs/validator-subset.ts';
import type { ValidatorInfo } from '../ledger/masterchain-extra.ts';

/** The group that makes and signs a masterchain block: two fields of the block's header. */
export interface BlockGroup {
  readonly genValidatorListHashShort: number;
  readonly genCatchainSeqno: number;
}

/** The group of the block after a masterchain state; null for a chain without validators. */
export function nextGroup(
  validators: ConfiguredValidators | null,
  { catchainSeqno }: ValidatorInfo,
): BlockGroup | null {
  if (validators === null) return null;
  const { listHash } = masterchainSubset(validators.set, validators.catchain, catchainSeqno);
  return { genValidatorListHashShort: listHash, genCatchainSeqno: catchainSeqno };
}

/** What the zerostate names. */
export function firstValidatorInfo(validators: ConfiguredValidators | null): ValidatorInfo {
  return buildInfo(validators, 0, validators !== null);
}

/**
 * What the state after a masterchain block names: a key block begins a new group, and so does the first block of a
 * catchain's lifetime (parameter 28). The rule is `Collator::create_mc_state_extra` of the reference node.
 */
export function validatorInfoAfter(
  before: ValidatorInfo,
  validators: ConfiguredValidators | null,
  block: { readonly isKey: boolean; readonly utime: number; readonly previousUtime: number },
): ValidatorInfo {
  if (validators === null) return before;
  const { isKey, utime, previousUtime } = block;
  const begins = (lifetime: number) =>
    isKey || Math.floor(utime / lifetime) > Math.floor(previousUtime / lifetime);
  const isNew = begins(validators.catchain.masterchainLifetime);
  const catchainSeqno = before.catchainSeqno + (isNew ? 1 : 0);
  return buildInfo(validators, catchainSeqno, isNew && begins(validators.catchain.shardLifetime));
}

function buildInfo(
  validators: ConfiguredValidators | null,
  catchainSeqno: number,
  nxCcUpdated: boolean,
): ValidatorInfo {
  if (validators === null) return { listHash: 0, catchainSeqno, nxCcUpdated };
  const { members } = masterchainSubset(validators.set, validators.catchain, catchainSeqno);
  return { listHash: validatorListHash(members, 0), catchainSeqno, nxCcUpdated };
}
