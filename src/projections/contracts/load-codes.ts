import type { RowStart } from '../../engine/projection/row-maker.ts';
import { keySet } from '../../platform/clickhouse/key-set.ts';
import { accountIds } from '../records/account-ids.ts';

/** Keys of one statement: its text stays below the server's `max_query_size`. */
const KEYS = 2_000;

/** Codes (hex) among some that are stored up to a step. */
export async function loadCodes(
  { client, database, partition }: RowStart,
  codes: readonly string[],
  upTo: number,
): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < codes.length; at += KEYS) {
    const hashes = codes.slice(at, at + KEYS).map((hex) => [Buffer.from(hex, 'hex')]);
    const { rows } = await client.queryRows<[string]>(
      `SELECT DISTINCT lower(hex(code_hash)) FROM ${database}.codes
       WHERE part = {partition:UInt16} AND mc_seqno <= {upTo:UInt32} AND code_hash IN ${keySet(['FixedString(32)'], hashes)}`,
      { route: 'contracts/codes', params: { partition, upTo }, maxRows: 1_000_000 },
    );
    found.push(...rows.map(([hash]) => hash));
  }
  return found;
}

/** Cells that states of accounts (`workchain:hex`) were the first to leave out, up to a step: account and hash, hex. */
export async function loadAbsent(
  { client, database, partition }: RowStart,
  accounts: readonly string[],
  upTo: number,
): Promise<[account: string, hash: string][]> {
  const found: [string, string][] = [];
  for (let at = 0; at < accounts.length; at += KEYS) {
    const ids = accountIds(accounts.slice(at, at + KEYS));
    const { rows } = await client.queryRows<[string, string]>(
      `SELECT concat(toString(workchain), ':', lower(hex(account))), lower(hex(hash)) FROM ${database}.absent_cells
       WHERE part = {partition:UInt16} AND mc_seqno <= {upTo:UInt32} AND account IN ${ids}`,
      { route: 'contracts/absent-cells', params: { partition, upTo }, maxRows: 10_000_000 },
    );
    found.push(...rows);
  }
  return found;
}
