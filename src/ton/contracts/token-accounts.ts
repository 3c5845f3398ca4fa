import { JETTON_BURN_OP } from '../messages/jetton-burn.ts';
import { INTERNAL_TRANSFER_OP } from '../messages/jetton-internal-transfer.ts';
import { JETTON_NOTIFICATION_OP } from '../messages/jetton-notification.ts';
import { JETTON_TRANSFER_OP } from '../messages/jetton-transfer.ts';
import { OWNERSHIP_ASSIGNED_OP } from '../messages/nft-ownership.ts';
import { NFT_TRANSFER_OP } from '../messages/nft-transfer.ts';

/** Messages to tokens, and notices of them. */
const TO_TOKENS: ReadonlySet<number | null> = new Set([
  JETTON_TRANSFER_OP,
  INTERNAL_TRANSFER_OP,
  JETTON_BURN_OP,
  NFT_TRANSFER_OP,
]);
const OF_TOKENS: ReadonlySet<number | null> = new Set([JETTON_NOTIFICATION_OP, OWNERSHIP_ASSIGNED_OP]);

/** A transaction by the message that it received. */
interface Received {
  readonly inMessage: {
    readonly source: string | null;
    readonly destination: string | null;
    readonly opcode: number | null;
  } | null;
}

/** Accounts that behave as jetton wallets or NFT items in transactions: they received or sent messages of tokens. */
export function tokenAccounts(transactions: readonly Received[]): ReadonlySet<string> {
  const accounts = transactions.map(({ inMessage }) => {
    const { source = null, destination = null, opcode = null } = inMessage ?? {};
    return TO_TOKENS.has(opcode) ? destination : OF_TOKENS.has(opcode) ? source : null;
  });
  return new Set(accounts.filter((account) => account !== null));
}
