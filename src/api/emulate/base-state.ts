import type { AccountAddress } from '../../ton/store/store-address.ts';
import { notHeld } from '../chain/need-chain.ts';
import { readStoredAccount } from '../chain/stored-account.ts';
import { readStoredView } from '../chain/stored-view.ts';
import type { ChainView } from '../chain-port.ts';
import { readMasterchainBlock } from '../entities/blocks/masterchain.ts';
import { readShards } from '../entities/blocks/shards.ts';
import { HttpError, OverloadedError } from '../http/errors/http-error.ts';
import type { ReadScope } from '../query/scope.ts';
import type { ChainPoint } from './following-blocks.ts';

const WHOLE_WORKCHAIN = 1n << 63n;

/** State of the chain after a masterchain block, whose accounts are read on request. */
export interface BaseState {
  readonly view: ChainView;
  readonly point: ChainPoint;
  /** Libraries of the chain are in `view`: none is looked for in the store. */
  readonly hasLibraries: boolean;
  /** ShardAccount in base64; null if there is no account. @throws HttpError if it is incomplete */
  account(scope: ReadScope, address: AccountAddress): Promise<string | null>;
}

/**
 * The state after a masterchain block, by default of the newest served one: from the chain itself if it has that state,
 * else from the store.
 * @throws HttpError if it is newer than the served range, or not held
 */
export async function openBaseState(scope: ReadScope, mcSeqno: number | null): Promise<BaseState> {
  const { visible, context } = scope;
  const wanted = mcSeqno ?? visible.last;
  if (wanted > visible.last) throw new HttpError(500, 'mc block seqno is too new');
  if (wanted < visible.first) throw notHeld(`masterchain block ${wanted} is not indexed`);
  const states = context.chain?.states ?? null;
  const own = (await states?.view(null, wanted)) ?? null;
  const view = own ?? (await storedView(scope, mcSeqno));
  const { seqno } = view.block;
  return {
    view,
    point: await readPoint(scope, view),
    hasLibraries: states !== null,
    async account(reader, address) {
      const found = own && (await states?.view(address, seqno));
      // A fork loaded the account just now, and its libraries with it: the emulation began without them.
      if (found && found.libraries !== own?.libraries)
        throw new OverloadedError(
          'a fork loaded libraries of this emulation just now: send the request again',
        );
      return found ? found.shardAccount : readStoredAccount(reader, address, seqno);
    },
  };
}

async function storedView(scope: ReadScope, mcSeqno: number | null): Promise<ChainView> {
  const newest = (await scope.context.chain?.states?.view(null, null)) ?? null;
  return readStoredView(scope, null, mcSeqno ?? undefined, newest);
}

/** The position after which the view's next blocks continue. */
async function readPoint(scope: ReadScope, { block, utime }: ChainView): Promise<ChainPoint> {
  const { seqno } = block;
  const [own, shards] = await Promise.all([readMasterchainBlock(scope, seqno), readShards(scope, seqno)]);
  if (!own) throw notHeld(`masterchain block ${seqno} is not indexed`);
  const lts = [own, ...shards].map(({ end_lt }) => BigInt(end_lt));
  return {
    mcSeqno: seqno,
    utime,
    endLt: lts.reduce((most, lt) => (lt > most ? lt : most)),
    shards: [
      { workchain: -1, shard: WHOLE_WORKCHAIN, seqno },
      ...shards.map((top) => ({ workchain: top.workchain, shard: BigInt(top.shard), seqno: top.seqno })),
    ],
  };
}
