import type { LiteContext } from '../../src/liteserver/lite-context.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { walletMessage } from '../../src/localnet/wallets/transfer.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import { readShardHashes } from '../../src/ton/decode/block-header.ts';
import { visitTransactions } from '../../src/ton/proofs/visit-transactions.ts';
import { Visits } from '../../src/ton/proofs/visits.ts';
import { JUDGED_SEED } from '../helpers/judged-chain.ts';

/** Raw addresses: an account of the masterchain, one that exists or an absent one in every shard. */
export function accountsInEveryShard({ chain }: LiteContext): string[] {
  const masterchain = [0x33, 0x55].map((byte) => formatRaw(-1, Buffer.alloc(32, byte), false));
  const shards = readShardHashes(chain.head!.boc).map((top) => {
    const block = chain.block(top)!;
    const [first] = visitTransactions(new Visits(), block.root);
    return formatRaw(top.workchain, first?.account ?? absentAccount(top.shard), false);
  });
  return [...masterchain, ...shards];
}

/** An address inside a shard. */
function absentAccount(shard: bigint): Uint8Array {
  const address = Buffer.alloc(32, 0x77);
  address.writeBigUInt64BE(shard);
  return address;
}

/** The first example wallet of the judged chain. */
export function judgedWallet(): string {
  const { address } = wallet();
  return formatRaw(address.workchain, address.address, false);
}

/** A message with which the wallet sends a coin to itself; a bag. */
export function walletTransfer({ chain }: LiteContext, seqno: number): Uint8Array {
  const own = wallet();
  const validUntil = chain.head!.header.genUtime + 600;
  const transfer = { to: own.address, value: 1_000_000_000n, bounce: false };
  return writeBag(walletMessage(own, [transfer], { seqno, validUntil }), { index: false });
}

function wallet() {
  return genesisWallets(JUDGED_SEED, LOCALNET_GLOBAL_ID).wallets[0]!;
}
