import type { TlAnswer } from '../../liteapi/schema/values.ts';
import { checkAccount } from '../../ton/proofs/check-account.ts';
import { type AccountAddress, toAccountName } from '../../ton/store/store-address.ts';
import type { BlockIdExt } from '../block-id.ts';
import { type FoundCell, findCells } from '../files/find-cells.ts';
import type { LiteServer } from './lite-server.ts';
import type { ServerPool } from './server-pool.ts';
import { fromTlId, toTlId } from './tl-block-id.ts';

/** Libraries of one request: the limit of the reference server. */
export const MAX_LIBRARIES = 16;

/** Rounds over all servers for one state: most servers keep recent states only. */
const ROUNDS = 2;

/**
 * The bag of an account after a masterchain block, proven by the states of the block and of the account's shard; null if the
 * account is proven to be absent.
 * @throws NoServerError if no server delivers a proven answer; the reason of the signal
 */
export async function fetchAccount(
  pool: ServerPool,
  { workchain, address }: AccountAddress,
  block: BlockIdExt,
  signal: AbortSignal,
): Promise<{ readonly boc: Uint8Array; readonly origin: string } | null> {
  const request = { id: toTlId(block), account: { workchain, id: address } };
  const name = toAccountName({ workchain, address });
  const { value } = await pool.ask('getAccountState', request, {
    signal,
    what: `the state of ${name}`,
    rounds: ROUNDS,
    check: ({ shardblk, shard_proof, proof, state }, server) => {
      const shardBlock = fromTlId(shardblk);
      const asked = { id: block, shardBlock, account: { workchain, address } };
      const proven = checkAccount({ ...asked, shardProof: shard_proof, proof, state });
      return proven && { boc: Uint8Array.from(state), origin: `${name} by ${server.name}` };
    },
  });
  return value;
}

/**
 * Libraries by their hashes (lower-case hex), at most `MAX_LIBRARIES`. The hash proves a library; that a server has none is not
 * proven.
 * @throws NoServerError, the reason of the signal
 */
export async function fetchLibraries(
  pool: ServerPool,
  hashes: readonly string[],
  signal: AbortSignal,
): Promise<FoundCell[]> {
  const library_list = hashes.map((hash) => Buffer.from(hash, 'hex'));
  const request = {
    signal,
    what: `${hashes.length} libraries`,
    rounds: ROUNDS,
    check: ({ result }: TlAnswer<'getLibraries'>, server: LiteServer) => {
      const wanted = new Set(hashes);
      return result.flatMap(({ data }) => [...findCells(data, wanted, server.name)]);
    },
  };
  return (await pool.ask('getLibraries', { library_list }, request)).value;
}
