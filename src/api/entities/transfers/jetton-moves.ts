import { CellError } from '../../../ton/boc/cell-error.ts';
import { openBag } from '../../../ton/boc/open-bag.ts';
import { toAccount } from '../../../ton/contracts/read-fields.ts';
import { JETTON_TRANSFER_OP, loadJettonTransfer } from '../../../ton/messages/jetton-transfer.ts';
import { accountOfRaw, rawAddress, toRawAddress } from '../../query/account-id.ts';
import { parts } from '../../query/keys.ts';
import type { TokenScope } from '../tokens/filter.ts';
import { readTokens, readTokensOfAccounts } from '../tokens/find.ts';
import type { TokenRow } from '../tokens/model.ts';
import type { TransactionRow } from '../transactions/model.ts';

/** Jettons that went from one owner to another; raw addresses. */
export interface JettonMove {
  readonly from: string;
  readonly to: string;
  readonly master: string;
  readonly amount: bigint;
}

/** A transfer that a wallet was told to make. */
interface Order {
  readonly wallet: string;
  readonly to: string;
  readonly amount: bigint;
}

/** Transfers between jetton wallets that the store knows both of; those whose transaction was aborted moved nothing. */
export async function readJettonMoves(
  scope: TokenScope,
  rows: readonly TransactionRow[],
): Promise<readonly JettonMove[]> {
  const orders = rows.flatMap((row) => parseOrder(row) ?? []);
  const senders = await readTokensOfAccounts(
    scope,
    'jetton_wallet',
    orders.map(({ wallet }) => accountOfRaw(wallet)),
  );
  const walletByAddress = new Map(senders.map((wallet) => [wallet.address, wallet]));
  const held = await readHeld(scope, senders, orders);
  return orders.flatMap(({ wallet, to, amount }) => {
    const { owner = null, parent: master = null } = walletByAddress.get(wallet) ?? {};
    return owner && master && held.has(`${to} ${master}`) ? [{ from: owner, to, master, amount }] : [];
  });
}

/** Owners and masters of the wallets that receive. */
async function readHeld(
  scope: TokenScope,
  senders: readonly TokenRow[],
  orders: readonly Order[],
): Promise<ReadonlySet<string>> {
  const parents = [...new Set(senders.flatMap(({ parent }) => parent ?? []))].map(accountOfRaw);
  if (parents.length === 0) return new Set();
  const owners = [...new Set(orders.map(({ to }) => to))].map(accountOfRaw);
  const read = parts(owners).map((some) => {
    const page = { limit: some.length * parents.length, offset: 0, descending: false };
    return readTokens(scope, { kind: 'jetton_wallet', owners: some, parents }, page, 'address');
  });
  return new Set((await Promise.all(read)).flat().map(({ owner, parent }) => `${owner} ${parent}`));
}

function parseOrder(row: TransactionRow): Order | null {
  const incoming = row.messages.find(({ direction }) => direction === 'in');
  if (row.aborted || incoming?.kind !== 'internal' || incoming.opcode !== JETTON_TRANSFER_OP) return null;
  const wallet = rawAddress({ workchain: row.workchain, hash: row.account });
  try {
    const slice = openBag(incoming.body);
    slice.skipBits(32);
    const { amount, destination } = loadJettonTransfer(slice);
    const to = toAccount(destination);
    return to && { wallet, amount, to: toRawAddress(to.workchain, to.address) };
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}
