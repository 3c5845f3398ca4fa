import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { ExternalMessage } from '../collate/external-message.ts';
import type { AccountEntry } from '../ledger/account-entry.ts';
import { walletMessage } from '../wallets/transfer.ts';
import type { Wallet } from '../wallets/wallet.ts';
import { walletSeqno } from '../wallets/wallet-seqno.ts';
import { Chance } from './chance.ts';
import type { TrafficAct, TrafficKind, TrafficScene } from './traffic-kind.ts';

const VALID_SECONDS = 600;
const ATTEMPTS = 100;

/** Makes signed messages of wallets, the same ones from the same seed. */
export class Traffic {
  private readonly wallets: readonly Wallet[];
  private readonly kinds: readonly TrafficKind[];
  private readonly chance: Chance;
  private readonly seqnos = new Map<Wallet, number>();
  /** Transactions that are still to come; what a message had too many is taken off the next ones. */
  private owed = 0;
  private round = 0;

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
    this.owed += transactions;
    this.round++;
    const messages: ExternalMessage[] = [];
    while (this.owed >= 1) {
      const act = this.act(utime, account);
      if (!act) break;
      const { from, transfers } = act;
      const seqno = this.seqnos.get(from) ?? walletSeqno(from, account(from.address));
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

  /** null: in so many attempts nothing was found that can be done now. */
  private act(utime: number, account: TrafficScene['account']): TrafficAct | null {
    const { chance, wallets, round } = this;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const kind = this.pick();
      const from = wallets[chance.below(wallets.length)]!;
      const act = kind.make({ chance, from, wallets, round, utime, account });
      if (!act) continue;
      this.owed -= kind.transactions;
      return act;
    }
    this.owed = 0;
    return null;
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
