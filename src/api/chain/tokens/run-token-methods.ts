import type { AccountFacts } from '../../../ton/contracts/account-facts.ts';
import { DeadlineError } from '../../http/errors/caller-errors.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { accountOfRaw, toRawAddress } from '../../query/account-id.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { MethodState } from '../run-get-method.ts';
import { readTokenAs } from './token-data.ts';
import type { TokenData } from './token-facts.ts';

/** Kinds of tokens that the classifier of traces knows, by the get method that describes them. */
export const METHODS = { jetton_wallet: 'get_wallet_data', nft_item: 'get_nft_data' } as const;
export type MethodKind = keyof typeof METHODS;
export const METHOD_KINDS = Object.keys(METHODS) as MethodKind[];

/** An account by its raw address, and the hash of its code (base64); null if unknown. */
interface Examined {
  readonly address: string;
  readonly codeHash: string | null;
}

/** What the get methods run on. */
interface MethodChoices {
  /** Kinds that the account may be. Default: all. */
  readonly kinds?: readonly MethodKind[];
  /** States of accounts instead of the newest stored ones, by raw address. Default: none. */
  readonly states?: ReadonlyMap<string, MethodState>;
}

/** Facts of an account by its get methods, confirmed by its master or collection; null if it is neither wallet nor item. */
export async function runMethods(
  { context, caller }: Pick<ReadScope, 'context' | 'caller'>,
  { address, codeHash }: Examined,
  { kinds = METHOD_KINDS, states }: MethodChoices = {},
): Promise<AccountFacts | null> {
  const { workchain, hash } = accountOfRaw(address);
  const account = { workchain, address: Uint8Array.fromHex(hash) };
  const requested = { context, caller, address: account, ...(states && { states }) };
  for (const kind of kinds) {
    const token = await unlessFailed(() => readTokenAs(requested, kind));
    const facts = typeof token === 'string' ? null : toFacts(token, codeHash);
    if (facts) return facts;
  }
  return null;
}

function toFacts(token: TokenData, codeHash: string | null): AccountFacts | null {
  if (token.kind === 'jetton_wallet')
    return { jettonWallet: { owner: toRaw(token.owner), jetton: toRaw(token.master) } };
  if (token.kind !== 'nft_item') return null;
  const { index, collection, owner, content } = token;
  return {
    nftItem: {
      index,
      collection: collection && toRaw(collection),
      owner: owner && toRaw(owner),
      contentUri: readUri(content),
      codeHash,
    },
  };
}

type Account = { readonly workchain: number; readonly address: Uint8Array };
const toRaw = ({ workchain, address }: Account): string => toRawAddress(workchain, address);

function readUri(content: Extract<TokenData, { kind: 'nft_item' }>['content']): string | null {
  if ('domain' in content) return null;
  return content.type === 'offchain' ? content.data : (content.data.uri ?? null);
}

/** What a contract makes of its get methods ends no answer: an account that cannot be examined stays unknown. */
async function unlessFailed<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HttpError || error instanceof DeadlineError) return error.message;
    throw error;
  }
}
