import { toBase64 } from '../../../ton/hash/base64.ts';
import type { AccountFacts, ClassifiedTrace, ClassifierTrace } from '../../classifier-port.ts';
import type { UnservedAccount } from '../../pending/unserved-account.ts';
import { unservedTokens } from '../../pending/unserved-tokens.ts';
import { itemFact, readAccountFacts } from '../../read/read-account-facts.ts';
import type { ReadScope } from '../../read/read-scope.ts';
import type { TokenRow } from '../../read/token-row.ts';
import { classifyWith } from './classify-traces.ts';

/** Accounts as traces leave them that no served block has. */
export interface UnservedContracts {
  readonly accounts: ReadonlyMap<string, UnservedAccount>;
  /** Those that are token contracts. */
  readonly tokens: ReadonlyMap<string, TokenRow>;
}

/** Tells which of the accounts are tokens; null where the projection `contracts` cannot be read. */
export async function readUnserved(
  scope: ReadScope,
  accounts: ReadonlyMap<string, UnservedAccount>,
): Promise<UnservedContracts | null> {
  const { contracts } = scope.added;
  if (!contracts) return null;
  const { query, context } = scope;
  const { database, visible } = contracts;
  const source = { databases: { contracts: database }, visible, query, context };
  return { accounts, tokens: await unservedTokens(source, accounts) };
}

/** What becomes of traces by the facts of the store and those that they make themselves; none without a classifier. */
export async function classifyUnserved<K>(
  scope: ReadScope,
  traces: readonly { readonly trace: K; readonly input: ClassifierTrace }[],
  { accounts, tokens }: UnservedContracts,
): Promise<ReadonlyMap<K, ClassifiedTrace>> {
  const { contracts } = scope.added;
  const classify = scope.context.classifyTrace;
  if (!contracts || !classify) return new Map();
  return classifyWith(traces, classify, async (addresses) => {
    const facts = new Map(await readAccountFacts(scope, contracts, addresses));
    for (const address of addresses) {
      const code = accounts.get(address)?.state?.codeHash;
      if (!code) continue;
      const known = facts.get(address) ?? {};
      facts.set(address, { ...known, codeHash: toBase64(code), ...tokenFacts(tokens, address, known) });
    }
    return facts;
  });
}

function tokenFacts(tokens: UnservedContracts['tokens'], address: string, known: AccountFacts): AccountFacts {
  const token = tokens.get(address);
  if (token?.kind === 'nft_item') {
    const own = itemFact(token, tokens.get(token.parent ?? ''));
    // Where its collection stands in the store alone, that knows the content too.
    return { nftItem: { ...own, contentUri: known.nftItem?.contentUri ?? own.contentUri } };
  }
  if (token?.kind !== 'jetton_wallet' || !token.owner || !token.parent) return {};
  return { jettonWallet: { owner: token.owner, jetton: token.parent } };
}
