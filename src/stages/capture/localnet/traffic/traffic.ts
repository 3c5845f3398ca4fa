import { sha256 } from '../../../../ton/hash/sha256.ts';
import type { AccountAddress } from '../../../../ton/store/store-address.ts';
import type { ExternalMessage } from '../collate/block-draft.ts';
import type { AccountEntry } from '../ledger/account-entry.ts';
import type { Transfer } from '../wallets/transfer.ts';
import { commentBody, walletMessage } from '../wallets/transfer.ts';
import type { Wallet } from '../wallets/wallet.ts';
import { walletSeqno } from '../wallets/wallet-seqno.ts';
import { Chance } from './chance.ts';

/** What somebody does on the network: the transfers that a wallet signs at once. */
export interface TrafficKind {
  readonly name: string;
  /** How often it happens, compared with the others. */
  readonly weight: number;
  readonly make: (chance: Chance, from: Wallet, wallets: readonly Wallet[]) => readonly Transfer[];
}

/** Where traffic goes, beside the wallets. */
export interface TrafficPlaces {
  /** An account that refuses everything. */
  readonly throwing: AccountAddress;
  /** A masterchain account that takes everything. */
  readonly masterchain: AccountAddress;
}

/** About how many transactions come of one signed message: itself, the delivery, a bounce now and then. */
const TRANSACTIONS_PER_MESSAGE = 2.2;
const VALID_SECONDS = 600;

/** Makes signed messages of wallets, the same ones from the same seed. */
export class Traffic {
  private readonly wallets: readonly Wallet[];
  private readonly kinds: readonly TrafficKind[];
  private readonly chance: Chance;
  private readonly seqnos = new Map<Wallet, number>();
  private owed = 0;

  constructor(seed: string, wallets: readonly Wallet[], kinds: readonly TrafficKind[]) {
    this.chance = new Chance(`${seed}|traffic`);
    this.wallets = wallets;
    this.kinds = kinds;
  }

  /**
   * Messages for about `transactions` transactions.
   * @param account an account as the last step left it
   */
  messages(
    transactions: number,
    utime: number,
    account: (address: AccountAddress) => AccountEntry | null,
  ): ExternalMessage[] {
    this.owed += transactions / TRANSACTIONS_PER_MESSAGE;
    const messages: ExternalMessage[] = [];
    for (; this.owed >= 1; this.owed--) {
      const from = this.wallets[this.chance.below(this.wallets.length)]!;
      const known = this.seqnos.get(from);
      const seqno = Math.max(known ?? 0, known === undefined ? walletSeqno(from, account(from.address)) : 0);
      const transfers = this.pick().make(this.chance, from, this.wallets);
      const cell = walletMessage(from, transfers, { seqno, validUntil: utime + VALID_SECONDS });
      this.seqnos.set(from, seqno + 1);
      messages.push({ cell, dest: from.address });
    }
    return messages;
  }

  /** Forgets what wallets were going to have sent: their seqnos are read again. */
  forget(): void {
    this.seqnos.clear();
  }

  private pick(): TrafficKind {
    const total = this.kinds.reduce((sum, { weight }) => sum + weight, 0);
    let at = this.chance.below(total);
    for (const kind of this.kinds) {
      if (at < kind.weight) return kind;
      at -= kind.weight;
    }
    return this.kinds[0]!;
  }
}

/** Transfers with comments, to new addresses, failures and bounces. */
export function transferKinds({ throwing, masterchain }: TrafficPlaces): TrafficKind[] {
  const amount = (chance: Chance) => 10_000_000n + BigInt(chance.below(1_000_000_000));
  const one = (to: AccountAddress, value: bigint, bounce: boolean, text: string): Transfer[] => [
    { to, value, bounce, body: commentBody(text) },
  ];
  const nowhere = (chance: Chance): AccountAddress => ({
    workchain: 0,
    address: sha256(new TextEncoder().encode(`cold ${chance.below(1_000_000)}`)),
  });
  return [
    {
      name: 'transfer',
      weight: 60,
      make: (chance, _from, wallets) =>
        one(wallets[chance.below(wallets.length)]!.address, amount(chance), true, pickText(chance)),
    },
    {
      name: 'payout',
      weight: 10,
      make: (chance, _from, wallets) =>
        Array.from({ length: 2 + chance.below(3) }, () => ({
          to: wallets[chance.below(wallets.length)]!.address,
          value: amount(chance),
          bounce: false,
        })),
    },
    {
      name: 'cold address',
      weight: 8,
      make: (chance) => one(nowhere(chance), amount(chance), false, 'first coins'),
    },
    {
      name: 'bounce from nowhere',
      weight: 7,
      make: (chance) => one(nowhere(chance), amount(chance), true, 'nobody is here'),
    },
    { name: 'failure', weight: 7, make: (chance) => one(throwing, amount(chance), true, 'this will fail') },
    {
      name: 'too much',
      weight: 3,
      make: (_chance, from) => one(from.address, 10n ** 18n, true, 'more than there is'),
    },
    { name: 'masterchain', weight: 5, make: (chance) => one(masterchain, amount(chance), true, 'fees') },
  ];
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
