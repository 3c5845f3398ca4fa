import { sha256 } from '../../ton/hash/sha256.ts';
import { commentBody } from '../../ton/messages/text-comment.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { Chance } from './chance.ts';
import type { TrafficKind, TrafficScene } from './traffic-kind.ts';

/** Destinations of traffic, in addition to the wallets. */
export interface TrafficPlaces {
  /** An account that refuses everything. */
  readonly throwing: AccountAddress;
  /** A masterchain account that takes everything. */
  readonly masterchain: AccountAddress;
}

type To = (scene: TrafficScene) => AccountAddress;

const amount = (chance: Chance) => 10_000_000n + BigInt(chance.below(1_000_000_000));
const anyWallet: To = ({ chance, wallets }) => wallets[chance.below(wallets.length)]!.address;
const unknownAddress: To = ({ chance }) => ({
  workchain: 0,
  address: sha256(new TextEncoder().encode(`cold ${chance.below(1_000_000)}`)),
});

/** Transfers with comments, to new addresses, failures and bounces. */
export function transferKinds({ throwing, masterchain }: TrafficPlaces): TrafficKind[] {
  return [
    {
      name: 'transfer',
      weight: 60,
      transactions: 2,
      make: (scene) => one(scene, anyWallet(scene), pickText(scene.chance)),
    },
    { name: 'payout', weight: 10, transactions: 4, make: payout },
    {
      name: 'cold address',
      weight: 8,
      transactions: 2,
      make: (scene) => one(scene, unknownAddress(scene), 'first coins', { bounce: false }),
    },
    {
      name: 'bounce from nowhere',
      weight: 7,
      transactions: 3,
      make: (scene) => one(scene, unknownAddress(scene), 'nobody is here'),
    },
    {
      name: 'failure',
      weight: 7,
      transactions: 3,
      make: (scene) => one(scene, throwing, 'this will fail'),
    },
    {
      name: 'too much',
      weight: 3,
      transactions: 1,
      make: (scene) => one(scene, scene.from.address, 'more than there is', { value: 10n ** 18n }),
    },
    {
      name: 'masterchain',
      weight: 5,
      transactions: 2,
      make: (scene) => one(scene, masterchain, 'fees'),
    },
  ];
}

/** One transfer with a comment. `value`: nanotons; default a random amount. */
function one(
  { chance, from }: TrafficScene,
  to: AccountAddress,
  text: string,
  { bounce = true, value = amount(chance) }: { readonly bounce?: boolean; readonly value?: bigint } = {},
) {
  return { from, transfers: [{ to, value, bounce, body: commentBody(text) }] };
}

/** Two to four transfers at once. */
function payout(scene: TrafficScene) {
  const transfers = Array.from({ length: 2 + scene.chance.below(3) }, () => ({
    to: anyWallet(scene),
    value: amount(scene.chance),
    bounce: false,
  }));
  return { from: scene.from, transfers };
}

const TEXTS = [
  'rent',
  'coffee',
  'thanks!',
  'invoice 2041',
  'Привет',
  'for the tickets',
  '🎉',
  'salary, November',
];

function pickText(chance: Chance): string {
  return TEXTS[chance.below(TEXTS.length)]!;
}
