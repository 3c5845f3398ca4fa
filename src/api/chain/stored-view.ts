import { fromBase64 } from '../../ton/hash/base64.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { ChainView } from '../chain-port.ts';
import { readMasterchainBlock, readNewestMasterchainBlock } from '../entities/blocks/masterchain.ts';
import type { ReadScope } from '../query/scope.ts';
import { notHeld } from './need-chain.ts';
import { readStoredAccount } from './stored-account.ts';
import { readStoredConfig } from './stored-config.ts';

/**
 * A masterchain block's view from the store, of the newest block where none is asked for. Earlier blocks and libraries,
 * as contracts see them, are not stored.
 * `newest`: view of the chain itself, if it is there: its configuration may be the one of this block.
 *
 * @throws HttpError a part of it is not held
 */
export async function readStoredView(
  scope: ReadScope,
  address: AccountAddress | null,
  mcSeqno: number | undefined,
  newest: ChainView | null,
): Promise<ChainView> {
  const at = mcSeqno ?? scope.visible.last;
  const block =
    mcSeqno === undefined
      ? await readNewestMasterchainBlock(scope, at)
      : await readMasterchainBlock(scope, mcSeqno);
  if (!block) throw notHeld(`masterchain block ${at} is not indexed`);
  const keySeqno = block.key_block ? block.seqno : block.prev_key_block_seqno;
  const [config, shardAccount] = await Promise.all([
    newest?.keySeqno === keySeqno ? newest.config : readStoredConfig(scope, keySeqno, at),
    address && readStoredAccount(scope, address, at),
  ]);
  return {
    block: {
      seqno: block.seqno,
      rootHash: fromBase64(block.root_hash)!,
      fileHash: fromBase64(block.file_hash)!,
    },
    utime: block.gen_utime,
    config,
    keySeqno,
    libraries: newest?.libraries ?? null,
    hasUnknownLibraries: newest === null,
    prevBlocks: null,
    shardAccount,
  };
}
