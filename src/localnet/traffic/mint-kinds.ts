import { openBag } from '../../ton/boc/open-bag.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { storeJettonMint } from '../../ton/messages/jetton-mint.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import type { NewContract } from '../genesis/genesis-account.ts';
import { newMinter } from '../genesis/genesis-jetton.ts';
import { newCollection } from '../genesis/genesis-nft.ts';
import { tokenContent } from '../genesis/token-content.ts';
import type { Wallet } from '../wallets/wallet.ts';
import type { TrafficAct, TrafficKind, TrafficScene } from './traffic-kind.ts';

const TON = 1_000_000_000n;
const COIN = 1_000_000_000n;
/** For gas and the new contract. */
const VALUE = TON / 5n;
const DEPOSIT = TON / 20n;
/** Rounds after which a mint is through, in all shards. */
const REST = 12;
const JETTON = {
  name: 'Traffic Coin',
  symbol: 'TRAFFIC',
  decimals: '9',
  description: 'A jetton that traffic mints.',
};
const COLLECTION = { name: 'Traffic Stamps', description: 'NFTs that traffic mints.' };

/**
 * Mints of a jetton and of NFTs that the first wallet of traffic issues: the chain's own are the faucet's, which does not take part in
 * traffic. The first mint deploys the contract.
 */
export function mintKinds(): TrafficKind[] {
  let takenUntil = 0;
  return [
    { name: 'jetton mint', weight: 3, transactions: 4, make: mintJettons },
    {
      name: 'NFT mint',
      weight: 2,
      transactions: 3,
      // The index is that of the last step: no other mint may be under way.
      make: (scene) => {
        if (takenUntil > scene.round) return null;
        takenUntil = scene.round + REST;
        return mintItem(scene);
      },
    },
  ];
}

const queryId = ({ chance }: TrafficScene) => BigInt(chance.below(2 ** 32));
const pickOwner = ({ chance, wallets }: TrafficScene) => wallets[chance.below(wallets.length)]!.address;
const getIssuer = ({ wallets }: TrafficScene): Wallet => wallets[0]!;

/** A message to a contract, which deploys it. */
function toNew(from: Wallet, { address: to, ...stateInit }: NewContract, body: CellBuilder): TrafficAct {
  return { from, transfers: [{ to, value: VALUE, bounce: true, body: body.cell(), stateInit }] };
}

function mintJettons(scene: TrafficScene): TrafficAct {
  const from = getIssuer(scene);
  const body = new CellBuilder().with(storeJettonMint, {
    queryId: queryId(scene),
    receiver: pickOwner(scene),
    tonAmount: DEPOSIT,
    amount: COIN / 100n + BigInt(scene.chance.below(1_000_000_000)),
    responseAddress: from.address,
  });
  return toNew(from, newMinter(from.address, JETTON), body);
}

/** mint#00000001 query_id:uint64 index:uint64 value:Coins item:^(owner:MsgAddress content:^Cell) */
function mintItem(scene: TrafficScene): TrafficAct {
  const from = getIssuer(scene);
  const collection = newCollection(from.address, COLLECTION);
  const index = readNextIndex(scene, collection.address);
  const content = tokenContent({ name: `Stamp ${index + 1n}`, description: COLLECTION.description });
  const item = new CellBuilder().with(storeAddress, pickOwner(scene)).ref(content).cell();
  const body = new CellBuilder().uint(1, 32).u64(queryId(scene)).u64(index).coins(DEPOSIT);
  return toNew(from, collection, body.ref(item));
}

/** owner:MsgAddressInt next_index:uint64 … (nft-collection.tolk); 0 before the collection is deployed. */
function readNextIndex({ account }: TrafficScene, collection: AccountAddress): bigint {
  const data = account(collection)?.account.refs[1];
  if (!data) return 0n;
  const slice = openBag(writeBag(data, { index: false }));
  const ADDRESS_BITS = 267;
  slice.skipBits(ADDRESS_BITS);
  return slice.bigUint(64);
}
