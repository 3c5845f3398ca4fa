import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import type { AccountFacts } from '../../../ton/contracts/account-facts.ts';
import {
  type ContractColumns,
  contractFacts,
  FACT_KINDS,
  type TokenColumns,
  tokenFacts,
} from '../../../ton/contracts/fact-columns.ts';
import { IS_KNOWN } from './examined.ts';
import type { DatedFact, DetectedStore } from './fact-book.ts';
import { outcomeAt } from './outcome-at.ts';
import { addressColumn, readAccounts } from './read-accounts.ts';
import type { DatedState } from './read-facts.ts';

const quoted = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');
const TOKEN_KINDS = quoted(['jetton_wallet', 'nft_item']);
const CONTRACT_KINDS = quoted(FACT_KINDS);

const HEAD = `workchain, hex(account), toString(kind), state_seqno, reason = '', toString(lt), base64Encode(code_hash), ${addressColumn('owner')}, ${addressColumn('parent')}`;

type Head = [
  workchain: number,
  account: string,
  kind: string,
  position: number,
  isFound: boolean | number,
  lt: string,
  codeHash: string,
  owner: string | null,
  parent: string | null,
];
type TokenOutcome = [...Head, index: string, content: string];
type ContractOutcome = [...Head, details: string];

/**
 * Wallets, items, sales, auctions and orders under unknown codes, by the outcomes of their get methods (`outcomeAt`).
 * `states`: of the accounts, through the range.
 */
export async function readDetected(
  store: DetectedStore,
  accounts: readonly string[],
  range: PositionRange,
  states: Promise<readonly DatedState[]>,
): Promise<DatedFact[]> {
  const [tokens, contracts, known] = await Promise.all([
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
    states,
  ]);
  const byAccount = Map.groupBy(known, ({ account }) => account);
  return [
    ...datedFacts(tokens, byAccount, toTokenFacts),
    ...datedFacts(contracts, byAccount, toContractFacts),
  ];
}

/**
 * Statement for outcomes of each account, kind and code, by lt: the newest ones at the start of the range, those within
 * it, and the first ones after it. Of both results, as `outcomeAt` takes them.
 */
function outcomes(
  { database, last: confirmed }: DetectedStore,
  table: string,
  columns: string,
  { range, of }: { readonly range: PositionRange; readonly of: string },
): string {
  const from = `SELECT ${columns}, lt FROM ${database}.${table} WHERE ${of} AND mc_seqno <= ${confirmed} AND ${IS_KNOWN}`;
  const one = "LIMIT 1 BY account, workchain, kind, code_hash, reason = ''";
  return `SELECT DISTINCT * EXCEPT lt FROM (
    SELECT * FROM (${from} AND state_seqno <= ${range.first} ORDER BY lt DESC ${one})
    UNION ALL ${from} AND state_seqno > ${range.first} AND state_seqno <= ${range.last}
    UNION ALL SELECT * FROM (${from} AND state_seqno > ${range.last} ORDER BY lt ${one})
  ) ORDER BY lt`;
}

/** Before every step and every state. */
const BEGINNING = { position: -1, lt: -1n, codeHash: null } as const;

/** Rows by lt as facts from each state of their account on; from each outcome on if the states are unknown. */
function datedFacts<R extends readonly [...Head, ...string[]]>(
  rows: readonly R[],
  states: ReadonlyMap<string, readonly Omit<DatedState, 'account'>[]>,
  toFacts: (row: R) => AccountFacts | null,
): DatedFact[] {
  const groups = Map.groupBy(rows, ([workchain, account, kind]) => `${workchain}:${account} ${kind}`);
  return [...groups.values()].flatMap((own) => {
    const known = own.map((row) => ({ row, ...toOutcome(row) }));
    const [workchain, hash, kind] = own[0]!;
    const account = `${workchain}:${hash}`;
    const asExamined = known.map(({ position, lt }) => ({ position, lt, codeHash: null }));
    return [BEGINNING, ...(states.get(account) ?? asExamined)].map((state) => {
      const found = outcomeAt(known, state);
      const facts = found?.isFound ? toFacts(found.row) : null;
      return { account, position: state.position, kind: `detected ${kind}`, facts };
    });
  });
}

function toOutcome([, , , position, isFound, lt, codeHash]: readonly [...Head, ...string[]]) {
  return { position, isFound: Boolean(isFound), lt: BigInt(lt), codeHash };
}

function toTokenFacts(row: TokenOutcome): AccountFacts | null {
  const [, , kind, , , , codeHash, owner, parent, index, content] = row;
  return tokenFacts({
    kind: kind as TokenColumns['kind'],
    ...{ index, owner, parent, codeHash, content, link: '', prefix: null },
  });
}

function toContractFacts([, , kind, , , , codeHash, owner, parent, details]: ContractOutcome): AccountFacts {
  return contractFacts({
    kind: kind as ContractColumns['kind'],
    owner,
    parent,
    codeHash,
    details: JSON.parse(details) as ContractColumns['details'],
  });
}

/** A master under an unknown code, and the code (hex) that it names for its wallets from a step on. */
interface DetectedMaster {
  readonly account: string;
  readonly childCode: string;
  readonly since: number;
}

/** Detected masters among accounts, with each code that they named. The first outcome also holds for the time before it. */
export async function readDetectedMasters(
  store: DetectedStore,
  accounts: readonly string[],
): Promise<DetectedMaster[]> {
  const rows = await readAccounts<[number, string, string, number]>(
    store,
    accounts,
    'actions/detected-masters',
    (keys) =>
      `SELECT workchain, hex(account), hex(child_code), toUInt32(if(lt = first, 0, state_seqno)) FROM (
         SELECT workchain, account, child_code, state_seqno, reason, lt, min(lt) OVER (PARTITION BY account, workchain) AS first
         FROM ${store.database}.token_outcomes
         WHERE ${keys} AND kind = 'jetton_master' AND mc_seqno <= ${store.last} AND ${IS_KNOWN}
       ) WHERE reason = '' ORDER BY lt LIMIT 1 BY account, workchain, child_code`,
  );
  return rows.map(([workchain, account, childCode, since]) => ({
    account: `${workchain}:${account}`,
    childCode,
    since,
  }));
}
