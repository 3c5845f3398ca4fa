import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import type { AccountFacts } from '../../../ton/contracts/account-facts.ts';
import {
  type ContractColumns,
  contractFacts,
  FACT_KINDS,
  type TokenColumns,
  tokenFacts,
} from '../../../ton/contracts/fact-columns.ts';
import { UNKNOWN_OUTCOME } from '../../../ton/contracts/unknown-outcome.ts';
import type { DatedFact, DetectedStore } from './fact-book.ts';
import { addressColumn, readAccounts } from './read-accounts.ts';

/** Condition: an outcome is known. */
export const IS_KNOWN = `NOT startsWith(reason, '${UNKNOWN_OUTCOME}')`;
/** Before every step. */
const FROM_THE_BEGINNING = -1;

const quoted = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');
const TOKEN_KINDS = quoted(['jetton_wallet', 'nft_item']);
const CONTRACT_KINDS = quoted(FACT_KINDS);

const HEAD = `workchain, hex(account), toString(kind), state_seqno, reason = '', base64Encode(code_hash), ${addressColumn('owner')}, ${addressColumn('parent')}`;

type Head = [
  workchain: number,
  account: string,
  kind: string,
  position: number,
  isFound: boolean | number,
  codeHash: string,
  owner: string | null,
  parent: string | null,
];
type TokenOutcome = [...Head, index: string, content: string];
type ContractOutcome = [...Head, details: string];

/**
 * Wallets, items, sales, auctions and orders under unknown codes, by the outcomes of their get methods. Get methods run on
 * newest states only, so an account's first outcome also holds for the time before it.
 */
export async function readDetected(
  store: DetectedStore,
  accounts: readonly string[],
  range: PositionRange,
): Promise<DatedFact[]> {
  const [tokens, contracts] = await Promise.all([
    readAccounts<TokenOutcome>(store, accounts, 'actions/detected-tokens', (keys) =>
      outcomes(store, 'token_outcomes', `${HEAD}, toString(amount), content`, {
        range,
        of: `${keys} AND kind IN (${TOKEN_KINDS})`,
      }),
    ),
    readAccounts<ContractOutcome>(store, accounts, 'actions/detected-contracts', (keys) =>
      outcomes(store, 'contract_outcomes', `${HEAD}, details`, {
        range,
        of: `${keys} AND kind IN (${CONTRACT_KINDS})`,
      }),
    ),
  ]);
  return [...datedFacts(tokens, toTokenFacts), ...datedFacts(contracts, toContractFacts)];
}

/** Statement for the first outcome of each account and kind, the newest one at the start of the range, and those within it. */
function outcomes(
  { database, last: confirmed }: DetectedStore,
  table: string,
  columns: string,
  { range, of }: { readonly range: PositionRange; readonly of: string },
): string {
  const from = `SELECT ${columns}, lt FROM ${database}.${table} WHERE ${of} AND mc_seqno <= ${confirmed} AND ${IS_KNOWN}`;
  const one = 'LIMIT 1 BY account, workchain, kind';
  return `SELECT DISTINCT * EXCEPT lt FROM (
    SELECT * FROM (${from} ORDER BY lt ${one})
    UNION ALL SELECT * FROM (${from} AND state_seqno <= ${range.first} ORDER BY lt DESC ${one})
    UNION ALL ${from} AND state_seqno > ${range.first} AND state_seqno <= ${range.last}
  ) ORDER BY lt`;
}

/** Rows by lt as facts, each from its state on. */
function datedFacts<R extends readonly [...Head, ...string[]]>(
  rows: readonly R[],
  toFacts: (row: R) => AccountFacts | null,
): DatedFact[] {
  const begun = new Set<string>();
  return rows.map((row) => {
    const [workchain, account, kind, position, isFound] = row;
    const name = `${workchain}:${account} ${kind}`;
    const isFirst = !begun.has(name);
    begun.add(name);
    return {
      account: `${workchain}:${account}`,
      position: isFirst ? FROM_THE_BEGINNING : position,
      kind: `detected ${kind}`,
      facts: isFound ? toFacts(row) : null,
    };
  });
}

function toTokenFacts([
  ,
  ,
  kind,
  ,
  ,
  codeHash,
  owner,
  parent,
  index,
  content,
]: TokenOutcome): AccountFacts | null {
  return tokenFacts({
    kind: kind as TokenColumns['kind'],
    ...{ index, owner, parent, codeHash, content, link: '', prefix: null },
  });
}

function toContractFacts([, , kind, , , codeHash, owner, parent, details]: ContractOutcome): AccountFacts {
  return contractFacts({
    kind: kind as ContractColumns['kind'],
    owner,
    parent,
    codeHash,
    details: JSON.parse(details) as ContractColumns['details'],
  });
}

/** Accounts with an outcome for a kind of token. */
export async function readExamined(
  store: DetectedStore,
  accounts: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await readAccounts<[number, string]>(
    store,
    accounts,
    'actions/examined',
    (keys) =>
      `SELECT DISTINCT workchain, hex(account) FROM ${store.database}.token_outcomes
       WHERE ${keys} AND mc_seqno <= ${store.last} AND ${IS_KNOWN}`,
  );
  return new Set(rows.map(([workchain, account]) => `${workchain}:${account}`));
}

/** A master under an unknown code, and the code (hex) that it names for its wallets. */
interface DetectedMaster {
  readonly account: string;
  readonly childCode: string;
}

/** Masters among accounts that were detected, with each code that they named. */
export async function readDetectedMasters(
  store: DetectedStore,
  accounts: readonly string[],
): Promise<DetectedMaster[]> {
  const rows = await readAccounts<[number, string, string]>(
    store,
    accounts,
    'actions/detected-masters',
    (keys) =>
      `SELECT DISTINCT workchain, hex(account), hex(child_code) FROM ${store.database}.token_outcomes
       WHERE ${keys} AND kind = 'jetton_master' AND reason = '' AND mc_seqno <= ${store.last}`,
  );
  return rows.map(([workchain, account, childCode]) => ({ account: `${workchain}:${account}`, childCode }));
}
