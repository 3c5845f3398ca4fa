import { CellsOfBag } from '../../../../ton/cell/cells-of-bag.ts';
import type { AccountFacts } from '../../../../ton/contracts/account-facts.ts';
import { tokenFacts } from '../../../../ton/contracts/fact-columns.ts';
import { toBase64 } from '../../../../ton/hash/base64.ts';
import type { ClassifiedTrace, ClassifierTrace, FactsByAddress } from '../../../classifier-port.ts';
import type { UnconfirmedData } from '../../../entities/actions/newest-stores.ts';
import { readFacts } from '../../../entities/actions/read-facts.ts';
import { addedTokens } from '../../../entities/tokens/filter.ts';
import type { TokenRow } from '../../../entities/tokens/model.ts';
import { UnconfirmedDetection } from '../../../pending/detect-unconfirmed.ts';
import type { UnconfirmedAccount } from '../../../pending/unconfirmed-account.ts';
import { unconfirmedTokens } from '../../../pending/unconfirmed-tokens.ts';
import type { ReadScope } from '../../../query/scope.ts';
import { classifyWith } from '../classify-traces.ts';

/** Accounts as traces leave them that no served block has. */
export interface UnconfirmedContracts {
  readonly accounts: ReadonlyMap<string, UnconfirmedAccount>;
  /** Those that are token contracts. */
  readonly tokens: ReadonlyMap<string, TokenRow>;
}

/** Returns which accounts are tokens; null if the projection `contracts` is unavailable. */
export async function readUnconfirmed(
  scope: ReadScope,
  accounts: ReadonlyMap<string, UnconfirmedAccount>,
): Promise<UnconfirmedContracts | null> {
  const { contracts } = scope.added;
  if (!contracts) return null;
  return { accounts, tokens: await unconfirmedTokens(addedTokens(scope, contracts), accounts) };
}

/** Classifies traces by the facts of the store and those that they make themselves; none without a classifier. */
export async function classifyUnconfirmed<K>(
  scope: ReadScope,
  traces: readonly { readonly trace: K; readonly input: ClassifierTrace }[],
  unconfirmed: UnconfirmedContracts,
): Promise<ReadonlyMap<K, ClassifiedTrace>> {
  const { contracts } = scope.added;
  const classify = scope.context.classifyTrace;
  if (!contracts || !classify) return new Map();
  const detection = new UnconfirmedDetection(scope, unconfirmed.accounts);
  return classifyWith(traces, classify, async (requested) => {
    const found = await readFacts(scope, contracts, requested, (address) => findData(unconfirmed, address));
    return { ...found, account: await withDetected(withUnconfirmed(found.account, unconfirmed), detection) };
  });
}

/** Facts with those of wallets and items that only their get methods identify. */
async function withDetected(known: FactsByAddress, detection: UnconfirmedDetection): Promise<FactsByAddress> {
  const unknown = [...known].filter(([, facts]) => !facts?.jettonWallet && !facts?.nftItem);
  const detected = await detection.find(unknown.map(([address]) => address));
  return new Map([...known].map(([address, facts]) => [address, withFacts(facts, detected.get(address))]));
}

const withFacts = (facts: AccountFacts | null, more: AccountFacts | undefined): AccountFacts | null =>
  more ? { ...facts, ...more } : facts;

/** Facts of accounts as the traces leave them. */
function withUnconfirmed(found: FactsByAddress, { accounts, tokens }: UnconfirmedContracts): FactsByAddress {
  const facts = new Map(found);
  for (const address of found.keys()) {
    const code = accounts.get(address)?.state?.codeHash;
    if (!code) continue;
    const known = facts.get(address) ?? {};
    facts.set(address, { ...known, codeHash: toBase64(code), ...ownFacts(tokens, address, known) });
  }
  return facts;
}

/** Data of an account as the traces leave it. */
function findData({ accounts }: UnconfirmedContracts, address: string): UnconfirmedData | null | undefined {
  const account = accounts.get(address);
  if (!account) return undefined;
  const { state, cells } = account;
  if (!state?.dataHash || !cells || cells.data < 0) return null;
  return { hash: toBase64(state.dataHash), cell: () => new CellsOfBag(cells.boc).cell(cells.data) };
}

function ownFacts(
  tokens: UnconfirmedContracts['tokens'],
  address: string,
  known: AccountFacts,
): AccountFacts {
  const token = tokens.get(address);
  if (token?.kind !== 'jetton_wallet' && token?.kind !== 'nft_item') return {};
  const collection = tokens.get(token.parent ?? '');
  const prefix = collection?.flag ? collection.link : null;
  const own = tokenFacts({ ...token, kind: token.kind, index: token.amount, prefix });
  if (!own?.nftItem) return own ?? {};
  // If its collection is only in the store, the store knows the content too.
  return { nftItem: { ...own.nftItem, contentUri: known.nftItem?.contentUri ?? own.nftItem.contentUri } };
}
