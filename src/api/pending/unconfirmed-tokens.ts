import { readToken } from '../../ton/contracts/known-layouts.ts';
import type { TokenState } from '../../ton/contracts/token-state.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { TokenScope } from '../entities/tokens/filter.ts';
import { readTokensOfAccounts } from '../entities/tokens/find.ts';
import type { TokenKind, TokenRow } from '../entities/tokens/model.ts';
import { accountOfRaw, toRawAddress } from '../query/account-id.ts';
import type { UnconfirmedAccount } from './unconfirmed-account.ts';

/** Kind of the contract that must name the code of another one. */
const PARENT: Readonly<Partial<Record<TokenKind, TokenKind>>> = {
  jetton_wallet: 'jetton_master',
  nft_item: 'nft_collection',
};

/**
 * Accounts that are token contracts, by raw address: tokens deployed by a trace are in no store. A wallet or an item
 * counts if its master or collection, here or in the store, names its code.
 */
export async function unconfirmedTokens(
  scope: TokenScope,
  accounts: ReadonlyMap<string, UnconfirmedAccount>,
): Promise<ReadonlyMap<string, TokenRow>> {
  const tokens = new Map<string, TokenRow>();
  for (const [raw, account] of accounts) {
    const token = toToken(raw, account);
    if (token) tokens.set(raw, token);
  }
  const parents = await readParents(scope, [...tokens.values()]);
  const isOwn = ({ kind, parent, childCode }: TokenRow) => {
    if (!PARENT[kind] || parent === null) return true;
    const named = tokens.get(parent) ?? parents.get(parent);
    return named?.kind === PARENT[kind] && named?.childCode === childCode;
  };
  return new Map([...tokens].filter(([, token]) => isOwn(token)));
}

/** No masterchain step has it yet. */
const NO_STEP = 0;

function toToken(raw: string, { cells, state, endLt }: UnconfirmedAccount): TokenRow | null {
  if (!cells || !state?.codeHash || !state.dataHash) return null;
  const { workchain, hash } = accountOfRaw(raw);
  const account = { workchain, address: Uint8Array.fromHex(hash) };
  const token = readToken(state.codeHash.toHex(), { ...cells, account });
  if (!token || token === 'hidden') return null;
  const { codeHash, dataHash } = state;
  return {
    ...toRow(token),
    address: raw,
    lt: `${endLt}`,
    since: NO_STEP,
    codeHash: toBase64(codeHash),
    dataHash: toBase64(dataHash),
  };
}

/** The row that the store would have of it. */
function toRow(token: TokenState): Omit<TokenRow, 'address' | 'lt' | 'since' | 'codeHash' | 'dataHash'> {
  const { kind, amount, flag, owner, parent, childCode, content, link } = token;
  return {
    kind,
    amount: `${amount}`,
    flag,
    owner: rawOrNone(owner),
    parent: rawOrNone(parent),
    childCode: toBase64(childCode),
    content: content?.json ?? '',
    link,
  };
}

function rawOrNone(account: AccountAddress | null): string | null {
  return account && toRawAddress(account.workchain, account.address);
}

async function readParents(
  scope: TokenScope,
  tokens: readonly TokenRow[],
): Promise<ReadonlyMap<string, TokenRow>> {
  const read = async (kind: TokenKind) => {
    const of = tokens.filter((token) => PARENT[token.kind] === kind && token.parent !== null);
    return readTokensOfAccounts(
      scope,
      kind,
      of.map(({ parent }) => accountOfRaw(parent!)),
    );
  };
  const found = await Promise.all([read('jetton_master'), read('nft_collection')]);
  return new Map(found.flat().map((row) => [row.address, row]));
}
