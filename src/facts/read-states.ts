import type { DatedFact, DatedHash, DatedState, FactDatabase, FactRange } from './fact-stores.ts';
import { heldRows, readAccounts } from './read-accounts.ts';

type HashCells = [workchain: number, account: string, position: number, hash: string];
type StateCells = [workchain: number, account: string, position: number, lt: string, code: string];

const NO_HASH = Buffer.alloc(32).toString('base64');
const HEAD = 'workchain, hex(account), mc_seqno';

/** Hashes of the data of accounts: the one that held when the range began, and each that was set within it. */
export async function readDataHashes(
  chain: FactDatabase,
  accounts: readonly string[],
  range: FactRange,
): Promise<DatedHash[]> {
  const rows = await read<HashCells>(chain, accounts, range, `${HEAD}, base64Encode(data_hash)`);
  return rows.map(([workchain, account, position, hash]) => ({
    account: `${workchain}:${account}`,
    position,
    hash: hash === NO_HASH ? null : hash,
  }));
}

/** States of accounts: the one that held when the range began, and each that was set within it. */
export async function readStates(
  chain: FactDatabase,
  accounts: readonly string[],
  range: FactRange,
): Promise<readonly DatedState[]> {
  const columns = `${HEAD}, toString(lt), base64Encode(code_hash)`;
  const rows = await read<StateCells>(chain, accounts, range, columns);
  return rows.map(([workchain, account, position, lt, code]) => ({
    account: `${workchain}:${account}`,
    position,
    lt: BigInt(lt),
    codeHash: code === NO_HASH ? null : code,
  }));
}

function read<R extends readonly unknown[]>(
  chain: FactDatabase,
  accounts: readonly string[],
  range: FactRange,
  columns: string,
): Promise<readonly R[]> {
  return readAccounts<R>(chain, accounts, 'actions/states', (keys) => {
    const select = `SELECT ${columns} FROM ${chain.database}.account_states WHERE ${keys}`;
    return heldRows(select, range, { key: 'account, workchain' });
  });
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
