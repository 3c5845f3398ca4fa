import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import type { FactBook } from '../../../facts/fact-book.ts';
import type { DetectedDatabase, FactRange } from '../../../facts/fact-stores.ts';
import { readStates } from '../../../facts/read-states.ts';
import type { FactSort } from '../../../ton/contracts/account-facts.ts';
import type { Trace } from '../model/trace.ts';
import { type AskedFacts, undetectedTokens, unknownContracts } from '../undetected-accounts.ts';
import { readExamined } from './examined.ts';
import { readOpenCodes } from './open-codes.ts';

/** An account that get methods may identify, and the lt of its last transaction up to the step; 0 if no state of it is indexed. */
export interface UndetectedAccount {
  readonly account: string;
  readonly lt: bigint;
}

/** A trace that was classified after a step. */
export interface ClassifiedOnce {
  readonly step: number;
  readonly input: Trace;
  readonly asked: AskedFacts;
}

/** Databases that decide which accounts wait for an outcome. */
export interface UndetectedStores {
  readonly chain: StoreDatabase;
  readonly tokens: StoreDatabase;
  readonly detections: DetectedDatabase | null;
}

/** Traces with accounts that get methods may identify as tokens, sales, auctions or orders, and those accounts. */
export async function findUndetected<T extends ClassifiedOnce>(
  traces: readonly T[],
  book: FactBook,
  { tokens, network }: { readonly tokens: StoreDatabase; readonly network: string },
): Promise<ReadonlyMap<T, readonly string[]>> {
  const find = () =>
    traces.map((one) => {
      const facts = (sort: FactSort, account: string) => book.find(one.step, sort, account) ?? null;
      const open = undetectedTokens(one.input, one.asked, facts);
      return { one, open, others: unknownContracts(one.asked, facts) };
    });
  // A token's facts name its master, whose facts are looked up next.
  let found = find();
  while (await book.lookUp()) found = find();
  const codes = found.flatMap(({ others }) => others.map(({ codeHash }) => codeHash));
  const openCodes = await readOpenCodes(tokens, network, codes);
  return new Map(
    found.flatMap(({ one, open, others }) => {
      const contracts = others.filter(({ codeHash }) => openCodes.has(codeHash));
      const all = new Set([...open, ...contracts.map(({ account }) => account)]);
      return all.size > 0 ? [[one, [...all]] as const] : [];
    }),
  );
}

/** The accounts of traces whose state after the step has no outcome, nor a later one. */
export async function keepUnexamined<T extends ClassifiedOnce>(
  undetected: ReadonlyMap<T, readonly string[]>,
  { chain, detections }: UndetectedStores,
  range: FactRange,
): Promise<ReadonlyMap<T, readonly UndetectedAccount[]>> {
  const accounts = [...new Set([...undetected.values()].flat())];
  if (accounts.length === 0) return new Map();
  const [states, examined] = await Promise.all([
    readStates(chain, accounts, range),
    detections ? readExamined(detections, accounts) : new Map<string, bigint>(),
  ]);
  // The store gives what held before and what came since in any order.
  const byAccount = Map.groupBy(
    states.toSorted((a, b) => a.position - b.position),
    ({ account }) => account,
  );
  const ltAt = (account: string, step: number) =>
    byAccount.get(account)?.findLast(({ position }) => position <= step)?.lt ?? 0n;
  return new Map(
    [...undetected].map(([one, own]) => [
      one,
      own
        .map((account) => ({ account, lt: ltAt(account, one.step) }))
        .filter(({ account, lt }) => (examined.get(account) ?? -1n) < lt),
    ]),
  );
}
