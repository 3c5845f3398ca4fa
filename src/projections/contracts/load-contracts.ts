import type { RowStart } from '../../engine/projection/row-maker.ts';
import { accountIds } from '../records/account-ids.ts';
import { type ContractRow, contractRow } from './contract-row.ts';

/** Keys of one statement: its text stays below the server's `max_query_size`. */
const KEYS = 2_000;

type Value = string | number | boolean;

/** Contracts among accounts (`workchain:hex`), after the masterchain step `upTo`. */
export async function loadContracts(
  { client, database, partition }: RowStart,
  accounts: readonly string[],
  upTo: number,
): Promise<ContractRow[]> {
  const found: ContractRow[] = [];
  for (let at = 0; at < accounts.length; at += KEYS) {
    const ids = accountIds(accounts.slice(at, at + KEYS));
    const { rows } = await client.queryRows<Value[]>(
      `SELECT mc_seqno, workchain, hex(account), toString(lt), is_gone, hex(code_hash), code_depth, hex(data_hash),
         base64Encode(data)
       FROM ${database}.contract_states
       WHERE part = {partition:UInt16} AND mc_seqno <= {upTo:UInt32} AND account IN ${ids}
       ORDER BY lt DESC, is_gone LIMIT 1 BY workchain, account`,
      { route: 'contracts/contracts', params: { partition, upTo }, maxRows: 1_000_000 },
    );
    found.push(...rows.flatMap((values) => contractRow(toRow(values)) ?? []));
  }
  return found;
}

function toRow(values: Value[]): Omit<ContractRow, 'state'> {
  const [position, workchain, account, lt, isGone, code, codeDepth, dataHash, data] = values;
  const bytes = (value: Value | undefined) => Buffer.from(String(value), 'hex');
  return {
    position: Number(position),
    account: { workchain: Number(workchain), address: bytes(account) },
    lt: BigInt(lt as string),
    isGone: isGone === true,
    code: { hash: bytes(code), depth: Number(codeDepth) },
    dataHash: bytes(dataHash),
    data: Buffer.from(String(data), 'base64'),
  };
}
