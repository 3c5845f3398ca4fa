import { tokenFacts } from '../ton/contracts/fact-columns.ts';
import type { DatedFact, FactRange, FactStores } from './fact-stores.ts';
import { addressColumn, heldRows, readAccounts } from './read-accounts.ts';
import { detectedMastersSql } from './read-detected.ts';

type TokenStores = Omit<FactStores, 'chain' | 'states'>;

type TokenCells = [
  workchain: number,
  account: string,
  position: number,
  kind: 'jetton_wallet' | 'nft_item',
  isGone: boolean | number,
  code: string,
  index: string,
  owner: string | null,
  parent: string | null,
  childCode: string,
  link: string,
  content: string,
];

/**
 * Jetton wallets and NFT items: their state at the start of the range, and each change within it. They count if their
 * master or collection had named their code by then, as in the API's lists.
 */
export async function readTokens(
  stores: TokenStores,
  accounts: readonly string[],
  range: FactRange,
): Promise<DatedFact[]> {
  const newest = range.isNewest ? await readStates(stores, accounts, range) : [];
  // The table of newest states has none of a token that changed after the range.
  const isHidden = newest.some(([, , position]) => position > range.last);
  const isStored = !range.isNewest || isHidden;
  const rows = isStored ? await readStates(stores, accounts, { ...range, isNewest: false }) : newest;
  const known = await readNamed(stores, rows, range);
  return rows.flatMap((cells) => datedToken(cells, known));
}

function readStates(
  { tokens }: TokenStores,
  accounts: readonly string[],
  range: FactRange,
): Promise<readonly TokenCells[]> {
  const key = 'account, workchain, kind';
  const select = `SELECT workchain, hex(account), mc_seqno, toString(kind), is_gone, base64Encode(code_hash), toString(amount),
    ${addressColumn('owner')}, ${addressColumn('parent')}, hex(child_code), link, content`;
  return readAccounts<TokenCells>(tokens, accounts, 'actions/tokens', (keys) => {
    const of = `WHERE ${keys} AND kind IN ('jetton_wallet', 'nft_item')`;
    return range.isNewest
      ? `${select} FROM ${tokens.database}.tokens_latest ${of} ORDER BY ${key}, lt DESC LIMIT 1 BY ${key}`
      : heldRows(`${select} FROM ${tokens.database}.token_states ${of}`, range, { key });
  });
}

/** Statement of a parent on those below it. */
interface Named {
  /** The step from which on it names their code. */
  readonly since: number;
  /** Prefix of its items' links; null if they contain their full content. */
  readonly prefix: string | null;
}

type NamedCells = [
  isDetected: number,
  workchain: number,
  account: string,
  childCode: string,
  since: number,
  prefix: string | null,
];

/** Statements of parents on those below them, by parent and code; from cells if both cells and get methods have them. */
async function readNamed(
  { tokens, detections }: TokenStores,
  children: readonly TokenCells[],
  { last, isNewest }: FactRange,
): Promise<ReadonlyMap<string, Named>> {
  const parents = [...new Set(children.flatMap((cells) => cells[8] ?? []))];
  const [table, step] = isNewest ? ['tokens_latest', 'since'] : ['token_states', 'mc_seqno'];
  const rows = await readAccounts<NamedCells>(tokens, parents, 'actions/parents', (keys) => {
    const known = `SELECT 0, workchain, hex(account), hex(child_code), min(${step}),
         argMax(tuple(if(kind = 'nft_collection' AND flag, link, NULL)), lt).1 FROM ${tokens.database}.${table}
       WHERE ${keys} AND kind IN ('jetton_master', 'nft_collection') AND ${step} <= ${last}
       GROUP BY account, workchain, child_code`;
    return detections ? `${known} UNION ALL ${detectedMastersSql(detections, keys)}` : known;
  });
  const named = rows.map(
    ([, workchain, account, code, since, prefix]) =>
      [`${workchain}:${account} ${code}`, { since, prefix }] as const,
  );
  return new Map([...named.filter((_, i) => rows[i]![0]), ...named.filter((_, i) => !rows[i]![0])]);
}

const FREE: Named = { since: 0, prefix: null };
const UNKNOWN = { since: undefined, prefix: null };

/** A state as a fact. If its parent names its code later there are two: until then it is an unnamed one. */
function datedToken(cells: TokenCells, named: ReadonlyMap<string, Named>): DatedFact[] {
  const [workchain, hash, position, kind, isGone, codeHash, index, owner, parent, childCode, link, content] =
    cells;
  const none = { account: `${workchain}:${hash}`, position, kind, facts: null };
  const { since, prefix } = parent === null ? FREE : (named.get(`${parent} ${childCode}`) ?? UNKNOWN);
  if (isGone) return [none];
  const unnamed = { ...none, facts: parent === null ? null : { unnamedBy: parent } };
  if (since === undefined) return [unnamed];
  const found = {
    ...none,
    facts: tokenFacts({ kind, index, owner, parent, codeHash, content, link, prefix }),
  };
  return since <= position ? [found] : [unnamed, { ...found, position: since }];
}
