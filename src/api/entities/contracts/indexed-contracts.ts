import { CONTRACT_STATE_TARGET } from '../../../tables/contract-states.ts';
import { CONTRACT_OUTCOME_TARGET } from '../../../tables/detections.ts';
import { getLookUp, keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import type { AccountId } from '../../query/account-id.ts';
import { getContractLookUps } from '../../query/contract-look-ups.ts';
import { isAbsent } from '../../query/look-ups.ts';
import type { ServeContext } from '../../serve-context.ts';
import type { TokenSource } from '../tokens/filter.ts';

const CONTRACT = getLookUp(CONTRACT_STATE_TARGET, 'contract');
const { name: DETECTED } = getLookUp(CONTRACT_OUTCOME_TARGET, 'detected_contract').lookUp;
/** Keys of both begin with the account. */
const toKey = keyBuilder(CONTRACT);

/**
 * Returns true for an account that was a contract of `contract_states` once, or if the look-up index does not know that
 * it was not.
 */
export function mayBeContract(
  scope: { readonly context: ServeContext },
  source: TokenSource,
): (account: AccountId) => boolean {
  const both = getContractLookUps(scope, source, { cells: CONTRACT.lookUp.name, detected: DETECTED });
  if (!both) return () => true;
  return ({ hash, workchain }) => {
    const key = toKey(Buffer.from(hash, 'hex'), workchain);
    return !both.every(({ lookUps, name, visible }) => isAbsent(lookUps, name, key, visible));
  };
}
