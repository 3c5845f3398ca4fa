/** States of contracts over time, from get methods after each step with a transaction of them. */
import { lastOfAccounts } from './api-transactions.ts';
import type { CommittedBlock } from './core-rows.ts';
import type { Entry, LakeServer, Row } from './lake-server.ts';

/** A contract after its last transaction in a block. */
export interface StateAt {
  readonly address: string;
  /** Unix seconds. */
  readonly now: number;
  readonly lt: bigint;
  /** Masterchain step. */
  readonly step: number;
}

/** Times at which contracts changed, oldest first. */
export function stateTimes(
  blocks: readonly CommittedBlock[],
  contracts: readonly string[],
): readonly StateAt[] {
  const wanted = new Set(contracts);
  return blocks
    .flatMap((block) => lastOfAccounts(block).map((row) => ({ row, step: block.mcSeqno })))
    .filter(({ row }) => wanted.has(String(row.account)))
    .map(({ row, step }) => ({
      ...{ address: String(row.account), now: Number(row.now) },
      ...{ lt: BigInt(String(row.lt)), step },
    }))
    .sort((a, b) => (a.lt < b.lt ? -1 : 1));
}

/** A row of each state in which the get method works. */
export async function methodHistory(
  server: LakeServer,
  states: readonly StateAt[],
  method: string,
  toRow: (stack: readonly Entry[], state: StateAt) => Row,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const state of states) {
    const stack = await server.runGetMethodAt(state.address, method, state.step);
    if (stack) rows.push(toRow(stack, state));
  }
  return rows;
}

/** The last row of each address. */
export function lastRows(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row.address, row])).values()];
}

/** First column of a statement. */
export async function askList(server: LakeServer, sql: string): Promise<readonly string[]> {
  return (await server.ask(sql)).map((row) => String(Object.values(row)[0]));
}
