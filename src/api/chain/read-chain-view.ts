import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { ChainView } from '../chain-port.ts';
import type { ReadScope } from '../query/scope.ts';
import type { ServeContext } from '../serve-context.ts';
import { ProjectionUnavailableError } from '../version-vector.ts';
import { notHeld } from './need-chain.ts';
import { readStoredView } from './stored-view.ts';

/**
 * View of contracts after a masterchain block; by default after the newest visible block, so that a get method never
 * knows more than the account's transactions.
 *
 * @throws HttpError the state is not held
 * @throws ProjectionUnavailableError nothing is indexed yet
 */
export async function readChainView(
  context: ServeContext,
  scope: ReadScope | null,
  address: AccountAddress | null,
  mcSeqno: number | undefined,
): Promise<ChainView> {
  const states = context.chain?.states ?? null;
  if (scope && mcSeqno !== undefined && (mcSeqno < scope.visible.first || mcSeqno > scope.visible.last))
    throw notHeld(`masterchain block ${mcSeqno} is not indexed`);
  const wanted = mcSeqno ?? scope?.visible.last ?? null;
  const own = await states?.view(address, wanted);
  if (own) return own;
  // The chain itself keeps only the newest state, or makes no blocks yet.
  const newest = (await states?.view(address, null)) ?? null;
  if (mcSeqno === undefined && newest) return newest;
  if (!scope) throw new ProjectionUnavailableError('base', 'building', 'no blocks indexed yet');
  return readStoredView(scope, address, mcSeqno, newest);
}
