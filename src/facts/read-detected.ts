import type { AccountFacts } from '../ton/contracts/account-facts.ts';
import {
  type ContractColumns,
  contractFacts,
  FACT_KINDS,
  type TokenColumns,
  tokenFacts,
} from '../ton/contracts/fact-columns.ts';
import { UNKNOWN_OUTCOME } from '../ton/contracts/unknown-outcome.ts';
import type { DatedFact, DatedState, DetectedDatabase, FactRange } from './fact-stores.ts';
import { outcomeAt } from './outcome-at.ts';
import { addressColumn, quoted, readAccounts } from './read-accounts.ts';

const TOKEN_KINDS = quoted(['jetton_wallet', 'nft_item']);
const CONTRACT_KINDS = quoted(FACT_KINDS);

/** Condition: an outcome is known. */
export const IS_KNOWN = `NOT startsWith(reason, '${UNKNOWN_OUTCOME}')`;

const HEAD = `workchain, hex(account), toString(kind), state_seqno, reason = '', toString(lt), base64Encode(code_hash), ${addressColumn('owner')}, ${addressColumn('parent')}`;

/** An outcome: `amount` and `content` of tokens, `details` of other contracts. */
type Outcome = [
  workchain: number,
  account: string,
  kind: TokenColumns['kind'] | ContractColumns['kind'],
  position: number,
  isFound: boolean | number,
  lt: string,
  codeHash: string,
  owner: string | null,
  parent: string | null,
  amount: string,
  content: string,
  details: string,
];

/**
 * Wallets, items, sales, auctions and orders under unknown codes, by the outcomes of their get methods (`outcomeAt`).
 * `states`: of the accounts, through the range.
 */
export async function readDetected(
  store: DetectedDatabase,
  accounts: readonly string[],
  range: FactRange,
  states: Promise<readonly DatedState[]>,
): Promise<DatedFact[]> {
  const [outcomes, known] = await Promise.all([
    readAccounts<Outcome>(store, accounts, 'actions/detected', (keys) => {
      const tokens = { columns: `${HEAD}, toString(amount), content, ''`, range };
      const others = { columns: `${HEAD}, '', '', details`, range };
      return `${outcomesSql(store, 'token_outcomes', `${keys} AND kind IN (${TOKEN_KINDS})`, tokens)}
        UNION ALL ${outcomesSql(store, 'contract_outcomes', `${keys} AND kind IN (${CONTRACT_KINDS})`, others)}`;
    }),
    states,
  ]);
  const byAccount = Map.groupBy(known, ({ account }) => account);
  const groups = Map.groupBy(outcomes, ([workchain, account, kind]) => `${workchain}:${account} ${kind}`);
  return [...groups.values()].flatMap((own) => datedFacts(own, byAccount));
}

/**
 * Statement for outcomes of each account, kind and code: the newest ones at the start of the range, those within it, and
 * the first ones after it. Of both results, as `outcomeAt` takes them; of one state, that of the newest record.
 */
function outcomesSql(
  { database, last: confirmed }: DetectedDatabase,
  table: string,
  of: string,
  { columns, range: { first, last } }: { readonly columns: string; readonly range: FactRange },
): string {
  return `SELECT ${columns} FROM (
    SELECT *, multiIf(state_seqno <= ${first}, 'before', state_seqno <= ${last}, 'within', 'after') AS era
    FROM ${database}.${table} WHERE ${of} AND mc_seqno <= ${confirmed} AND ${IS_KNOWN}
    ORDER BY if(era = 'before', -toInt64(lt), toInt64(lt)), mc_seqno DESC
    LIMIT 1 BY account, workchain, kind, code_hash, reason = '', era, if(era = 'within', lt, 0)
  )`;
}

/** Before every step and every state. */
const BEGINNING = { position: -1, lt: -1n, codeHash: null } as const;

/** Outcomes of an account and kind as facts from each state on; from each outcome on if the states are unknown. */
function datedFacts(
  outcomes: readonly Outcome[],
  states: ReadonlyMap<string, readonly Omit<DatedState, 'account'>[]>,
): DatedFact[] {
  const known = outcomes.map(toKnown).sort((a, b) => (a.lt < b.lt ? -1 : 1));
  const [workchain, hash, kind] = outcomes[0]!;
  const account = `${workchain}:${hash}`;
  const asExamined = known.map(({ position, lt }) => ({ position, lt, codeHash: null }));
  return [BEGINNING, ...(states.get(account) ?? asExamined)].map((state) => {
    const found = outcomeAt(known, state);
    const facts = found?.isFound ? toFacts(found.outcome) : null;
    return { account, position: state.position, kind: `detected ${kind}`, facts };
  });
}

function toKnown(outcome: Outcome) {
  const [, , , position, isFound, lt, codeHash] = outcome;
  return { outcome, position, isFound: Boolean(isFound), lt: BigInt(lt), codeHash };
}

function toFacts(outcome: Outcome): AccountFacts | null {
  const [, , kind, , , , codeHash, owner, parent, index, content, details] = outcome;
  if (kind === 'jetton_wallet' || kind === 'nft_item')
    return tokenFacts({ kind, index, owner, parent, codeHash, content, link: '', prefix: null });
  return contractFacts({
    kind,
    owner,
    parent,
    codeHash,
    details: JSON.parse(details) as ContractColumns['details'],
  });
}

/**
 * Statement for masters under unknown codes: 1, account, each code (hex) that they named for their wallets, and the step
 * since which; the first outcome also holds for the time before it. No prefix. `of`: condition on the accounts.
 */
export function detectedMastersSql({ database, last }: DetectedDatabase, of: string): string {
  return `SELECT 1, workchain, hex(account), hex(child_code), since, NULL FROM (
    SELECT workchain, account, child_code, toUInt32(if(lt = first, 0, state_seqno)) AS since FROM (
      SELECT workchain, account, child_code, state_seqno, reason, lt, min(lt) OVER (PARTITION BY account, workchain) AS first
      FROM ${database}.token_outcomes
      WHERE ${of} AND kind = 'jetton_master' AND mc_seqno <= ${last} AND ${IS_KNOWN}
    ) WHERE reason = '' ORDER BY lt LIMIT 1 BY account, workchain, child_code
  )`;
}
