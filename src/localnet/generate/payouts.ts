import { sha256 } from '../../ton/hash/sha256.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { payoutMessage } from '../collate/direct/payer.ts';
import type { ExternalMessage } from '../collate/external-message.ts';
import { Chance } from '../traffic/chance.ts';
import type { Transfer } from '../wallets/transfer.ts';

/** Transfers of one message: as many as a contract can send at once. */
export const TRANSFERS = 255;
/** Accounts that are paid, the first ones more often than the last: a state of these still fits in memory. */
const ACCOUNTS = 100_000;
/** Nanotons of a transfer. */
const MIN = 1_000_000;
const MAX = 200_000_000;

/** Orders to payers, each for up to 255 accounts without code. The same seed gives the same messages. */
export class Payouts {
  private readonly seed: string;
  private readonly payers: readonly AccountAddress[];
  private readonly chance: Chance;
  private readonly known: (AccountAddress | undefined)[] = [];
  private turn = 0;
  private owed = 0;

  constructor(seed: string, payers: readonly AccountAddress[]) {
    this.seed = seed;
    this.payers = payers;
    this.chance = new Chance(`${seed}|payouts`);
  }

  /** Messages for about `transactions` transactions, what was too much or too little before reckoned in. */
  messages(transactions: number): ExternalMessage[] {
    this.owed += transactions;
    const messages: ExternalMessage[] = [];
    while (this.owed > 0) {
      const count = Math.max(1, Math.min(TRANSFERS, this.owed - 1));
      messages.push(this.payout(count));
      this.owed -= count + 1;
    }
    return messages;
  }

  private payout(count: number): ExternalMessage {
    const nonce = this.turn++;
    const dest = this.payers[nonce % this.payers.length]!;
    const transfers = Array.from({ length: count }, () => this.transfer());
    return { cell: payoutMessage(dest, transfers, nonce), dest, transfers };
  }

  private transfer(): Transfer {
    const { chance } = this;
    const at = Math.floor((chance.below(ACCOUNTS) * chance.below(ACCOUNTS)) / ACCOUNTS);
    const value = BigInt(MIN + chance.below(MAX - MIN));
    return { to: this.account(at), value, bounce: false };
  }

  private account(index: number): AccountAddress {
    let known = this.known[index];
    if (!known) {
      const address = sha256(new TextEncoder().encode(`${this.seed}|account|${index}`));
      known = { workchain: 0, address };
      this.known[index] = known;
    }
    return known;
  }
}
