import type { GenesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import type { AccountEntry } from '../../src/localnet/ledger/account-entry.ts';
import type { LocalnetControl } from '../../src/localnet/localnet-control.ts';
import { readOwner } from '../../src/localnet/traffic/free-items.ts';
import type { Wallet } from '../../src/localnet/wallets/wallet.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import { readCell } from '../../src/ton/cell/cells-of-bag.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';

/**
 * Code and data of the accounts that traffic reads, as the last block left them: wallets, traded items with their owners,
 * usernames and names.
 */
export async function trafficAccounts(
  control: LocalnetControl,
  wallets: readonly Wallet[],
  tokens: GenesisTokens,
): Promise<(address: AccountAddress) => AccountEntry | null> {
  const raw = ({ workchain, address }: AccountAddress) => formatRaw(workchain, address);
  const stateOf = async (address: AccountAddress) => {
    const state = (await control.view(address, null))?.shardAccount;
    const account = state ? readCell(Uint8Array.fromBase64(state)).refs[0] : undefined;
    return [raw(address), account ? ({ account } as AccountEntry) : null] as const;
  };
  const places = [...tokens.traded, ...wallets, ...tokens.usernames.items, ...tokens.names];
  const found = await Promise.all(places.map(({ address }) => stateOf(address)));
  const owners = found.slice(0, tokens.traded.length).map(([, entry]) => readOwner(entry)!);
  const states = new Map([...found, ...(await Promise.all(owners.map(stateOf)))]);
  return (address) => states.get(raw(address)) ?? null;
}
