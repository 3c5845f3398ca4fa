import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import {
  type ContractColumns,
  contractFacts,
  FACT_KINDS,
  tokenFacts,
} from '../../../ton/contracts/fact-columns.ts';
import type { DatedFact, DetectedStore } from './fact-book.ts';
import { hasTable } from './has-table.ts';
import { addressColumn, readAccounts } from './read-accounts.ts';
import { readDetectedMasters } from './read-detected.ts';

type HashCells = [workchain: number, account: string, position: number, hash: string];
type StateCells = [workchain: number, account: string, position: number, lt: string, code: string];

const NO_HASH = Buffer.alloc(32).toString('base64');

/** The hash of an account's data (base64); null if it has none. */
export interface DatedHash {
  readonly account: string;
  readonly position: number;
  readonly hash: string | null;
}

/** Hashes of the data of accounts: the one that held when the range began, and each that was set within it. */
export async function readDataHashes(
  chain: StoreDatabase,
  accounts: readonly string[],
  { first, last }: PositionRange,
): Promise<DatedHash[]> {
  const select = 'SELECT workchain, hex(account), mc_seqno, base64Encode(data_hash)';
  const rows = await readAccounts<HashCells>(chain, accounts, 'actions/states', (keys) => {
    const from = `FROM ${chain.database}.account_states WHERE ${keys}`;
    return `SELECT * FROM (${select} ${from} AND mc_seqno <= ${first} ORDER BY account, workchain, lt DESC LIMIT 1 BY account, workchain)
      UNION ALL SELECT * FROM (${select} ${from} AND mc_seqno > ${first} AND mc_seqno <= ${last} ORDER BY lt)`;
  });
  return rows.map(([workchain, account, position, hash]) => ({
    account: `${workchain}:${account}`,
    position,
    hash: hash === NO_HASH ? null : hash,
  }));
}

/** The code that an account has from a step on; null if it has none. */
export interface DatedState {
  readonly account: string;
  readonly position: number;
  readonly lt: bigint;
  /** Base64. */
  readonly codeHash: string | null;
}

/** States of accounts: the one that held when the range began, and each that was set within it. */
export async function readStates(
  chain: StoreDatabase,
  accounts: readonly string[],
  { first, last }: PositionRange,
): Promise<readonly DatedState[]> {
  const select = 'SELECT workchain, hex(account), mc_seqno, toString(lt), base64Encode(code_hash)';
  const rows = await readAccounts<StateCells>(chain, accounts, 'actions/states', (keys) => {
    const from = `FROM ${chain.database}.account_states WHERE ${keys}`;
    return `SELECT * FROM (${select} ${from} AND mc_seqno <= ${first}
        ORDER BY account, workchain, account_states.lt DESC LIMIT 1 BY account, workchain)
      UNION ALL SELECT * FROM (${select} ${from} AND mc_seqno > ${first} AND mc_seqno <= ${last} ORDER BY account_states.lt)`;
  });
  return rows.map(([workchain, account, position, lt, code]) => ({
    account: `${workchain}:${account}`,
    position,
    lt: BigInt(lt),
    codeHash: code === NO_HASH ? null : code,
  }));
}

/** Code hashes of accounts. */
export function toCodes(states: readonly DatedState[]): DatedFact[] {
  return states.map(({ account, position, codeHash }) => ({
    account,
    position,
    kind: 'code',
    facts: codeHash === null ? null : { codeHash },
  }));
}

type TokenCells = [
  workchain: number,
  account: string,
  position: number,
  kind: 'jetton_wallet' | 'nft_item',
  isGone: boolean,
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
  store: StoreDatabase,
  accounts: readonly string[],
  { first, last }: PositionRange,
  detected: DetectedStore | null,
): Promise<DatedFact[]> {
  const select = `SELECT workchain, hex(account), mc_seqno, toString(kind), is_gone, base64Encode(code_hash), toString(amount),
    ${addressColumn('owner')}, ${addressColumn('parent')}, hex(child_code), link, content`;
  const rows = await readAccounts<TokenCells>(store, accounts, 'actions/tokens', (keys) => {
    const from = `FROM ${store.database}.token_states WHERE ${keys} AND kind IN ('jetton_wallet', 'nft_item')`;
    return `SELECT * FROM (${select} ${from} AND mc_seqno <= ${first}
        ORDER BY account, workchain, kind, lt DESC LIMIT 1 BY account, workchain, kind)
      UNION ALL SELECT * FROM (${select} ${from} AND mc_seqno > ${first} AND mc_seqno <= ${last} ORDER BY lt)`;
  });
  const known = await readNamed(store, rows, last, detected);
  return rows.flatMap((cells) => datedToken(cells, known));
}

/** Statement of a parent on those below it. */
interface Named {
  /** The step from which on it names their code. */
  readonly since: number;
  /** Prefix of its items' links; null if they contain their full content. */
  readonly prefix: string | null;
}

/** Statements of parents on those below them, by parent and code. */
async function readNamed(
  store: StoreDatabase,
  tokens: readonly TokenCells[],
  last: number,
  detected: DetectedStore | null,
): Promise<ReadonlyMap<string, Named>> {
  const parents = [...new Set(tokens.flatMap((cells) => cells[8] ?? []))];
  const masters = detected ? await readDetectedMasters(detected, parents) : [];
  const rows = await readAccounts<[number, string, string, number, string | null]>(
    store,
    parents,
    'actions/parents',
    (keys) =>
      `SELECT workchain, hex(account), hex(child_code), min(mc_seqno),
         argMax(tuple(if(kind = 'nft_collection' AND flag, link, NULL)), lt).1 FROM ${store.database}.token_states
       WHERE ${keys} AND kind IN ('jetton_master', 'nft_collection') AND mc_seqno <= ${last}
       GROUP BY account, workchain, child_code`,
  );
  return new Map([
    ...masters.map(
      ({ account, childCode, since }) => [`${account} ${childCode}`, { since, prefix: null }] as const,
    ),
    ...rows.map(
      ([workchain, account, code, since, prefix]) =>
        [`${workchain}:${account} ${code}`, { since, prefix }] as const,
    ),
  ]);
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

type ContractCells = [
  workchain: number,
  account: string,
  position: number,
  kind: ContractColumns['kind'],
  codeHash: string,
  owner: string | null,
  parent: string | null,
  details: string,
];

/**
 * Sales, auctions and multisig orders: their state at the start of the range, and each change within it; for an ended
 * one, its last state. Earlier versions of `contracts` have none.
 */
export async function readContracts(
  store: StoreDatabase,
  accounts: readonly string[],
  { first, last }: PositionRange,
): Promise<DatedFact[]> {
  if (!(await hasTable(store, 'contract_states'))) return [];
  const select = `SELECT workchain, hex(account), mc_seqno, toString(kind), base64Encode(code_hash),
    ${addressColumn('owner')}, ${addressColumn('parent')}, details`;
  const rows = await readAccounts<ContractCells>(store, accounts, 'actions/contracts', (keys) => {
    const from = `FROM ${store.database}.contract_states WHERE ${keys} AND kind IN (${KINDS})`;
    return `SELECT * FROM (${select} ${from} AND mc_seqno <= ${first}
        ORDER BY account, workchain, kind, lt DESC, is_gone LIMIT 1 BY account, workchain, kind)
      UNION ALL SELECT * FROM (${select} ${from} AND mc_seqno > ${first} AND mc_seqno <= ${last} ORDER BY lt)`;
  });
  return rows.map(([workchain, account, position, kind, codeHash, owner, parent, details]) => ({
    account: `${workchain}:${account}`,
    position,
    kind,
    facts: contractFacts({
      kind,
      owner,
      parent,
      codeHash,
      details: JSON.parse(details) as object as Details,
    }),
  }));
}

const KINDS = FACT_KINDS.map((kind) => `'${kind}'`).join(', ');

type Details = Readonly<Record<string, unknown>>;
