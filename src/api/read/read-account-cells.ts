import { fromBase64 } from '../../ton/hash/base64.ts';
import { type AccountId, rawAddress } from './account-id.ts';
import { type AccountStateRow, accountOf } from './account-state-row.ts';
import { accountParams, accountSet } from './key-lists.ts';
import type { ReadScope } from './read-scope.ts';
import type { Statement } from './statement.ts';

/**
 * The Account cells that may hold code and data of states, by raw address: the state's own as its block has it, which
 * leaves out what did not change, and the account's first, which came with its deployment. One query.
 */
export async function readAccountCells(
  scope: ReadScope,
  states: readonly AccountStateRow[],
): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
  const found = new Map<string, Uint8Array[]>();
  if (states.length === 0) return found;
  for (const [workchain, hash, boc] of await scope.query(planAccountCells(scope, states))) {
    const raw = rawAddress({ workchain, hash } as AccountId);
    const bytes = fromBase64(boc as string);
    if (bytes) found.set(raw, [...(found.get(raw) ?? []), bytes]);
  }
  return found;
}

export function planAccountCells(
  scope: Pick<ReadScope, 'database' | 'visible'>,
  states: readonly AccountStateRow[],
): Statement {
  const table = `${scope.database}.account_cells`;
  const key = '(account, workchain, lt, hash)';
  const own =
    'arrayZip({accounts:Array(String)}, {accounts_workchains:Array(Int32)}, {lts:Array(UInt64)}, {hashes:Array(String)})';
  const named = `SELECT toFixedString(unhex(s.1), 32), s.2, s.3, toFixedString(base64Decode(s.4), 32) FROM (SELECT arrayJoin(${own}) AS s)`;
  const first =
    `SELECT account, workchain, min(lt), argMin(hash, lt) FROM ${table}` +
    ` WHERE (account, workchain) IN ${accountSet('accounts')} AND mc_seqno <= {visible_last:UInt32} GROUP BY account, workchain`;
  return {
    sql: `SELECT workchain, hex(account), base64Encode(boc) FROM ${table} WHERE ${key} IN (${named} UNION ALL ${first})`,
    params: {
      ...accountParams('accounts', states.map(accountOf)),
      lts: `[${states.map(({ lt }) => lt).join(',')}]`,
      hashes: states.map(({ hash }) => hash),
      visible_last: scope.visible.last,
    },
  };
}
