import { type ContractColumns, contractFacts, FACT_KINDS } from '../ton/contracts/fact-columns.ts';
import type { DatedFact, FactDatabase, FactRange } from './fact-stores.ts';
import { addressColumn, heldRows, quoted, readAccounts } from './read-accounts.ts';

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
 * one, its last state.
 */
export async function readContracts(
  store: FactDatabase,
  accounts: readonly string[],
  range: FactRange,
): Promise<DatedFact[]> {
  const select = `SELECT workchain, hex(account), mc_seqno, toString(kind), base64Encode(code_hash),
    ${addressColumn('owner')}, ${addressColumn('parent')}, details
    FROM ${store.database}.contract_states WHERE kind IN (${quoted(FACT_KINDS)})`;
  const rows = await readAccounts<ContractCells>(store, accounts, 'actions/contracts', (keys) =>
    heldRows(`${select} AND ${keys}`, range, {
      key: 'account, workchain, kind',
      newest: 'lt DESC, is_gone',
    }),
  );
  return rows.map(([workchain, account, position, kind, codeHash, owner, parent, details]) => ({
    account: `${workchain}:${account}`,
    position,
    kind,
    facts: contractFacts({
      kind,
      owner,
      parent,
      codeHash,
      details: JSON.parse(details) as ContractColumns['details'],
    }),
  }));
}
