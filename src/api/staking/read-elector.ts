import { LRUCache } from 'lru-cache';
import { type ElectorState, readElectorState } from '../../ton/contracts/elector/elector-state.ts';
import { readShardAccount } from '../chain/account-of-view.ts';
import { readStoredAccount } from '../chain/stored-account.ts';
import { HttpError } from '../http/errors/http-error.ts';
import { answerCache } from '../query/answer-cache.ts';
import type { ReadScope } from '../query/scope.ts';
import { readElectorAddress } from './read-elector-address.ts';

const NO_ELECTOR: ElectorState = { election: null, past: [] };

/** By masterchain seqno; of mainnet a few hundred KB each. */
const getElectors = answerCache(() => new LRUCache<number, ElectorState>({ max: 32 }));

/**
 * State of the elector after a masterchain block; empty if the account is not an elector. Blocks do not change, so a
 * block's state is cached.
 *
 * @throws HttpError 500 its state is incomplete
 */
export async function readElector(scope: ReadScope, mcSeqno: number): Promise<ElectorState> {
  const electors = getElectors(scope);
  const known = electors.get(mcSeqno);
  if (known) return known;
  const account = await readStoredAccount(scope, await readElectorAddress(scope, mcSeqno), mcSeqno);
  const data = readShardAccount(account)?.data;
  const state = (data && readElectorState(data)) || NO_ELECTOR;
  electors.set(mcSeqno, state);
  return state;
}

/** As `readElector`; null where its state is not held whole. */
export async function tryReadElector(scope: ReadScope, mcSeqno: number): Promise<ElectorState | null> {
  try {
    return await readElector(scope, mcSeqno);
  } catch (error) {
    if (error instanceof HttpError && error.status === 500) return null;
    throw error;
  }
}
