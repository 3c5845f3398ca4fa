import { expect, it } from 'vitest';
import type {
  ClassifiedTrace,
  ClassifierTrace,
  KnownFacts,
  RequestedFacts,
} from '../../../../src/api/classifier-port.ts';
import { classifyWith, type LookUpFacts } from '../../../../src/api/v3/answers/classify-traces.ts';
import type { AccountFacts } from '../../../../src/ton/contracts/account-facts.ts';

const input: ClassifierTrace = { traceId: 'trace', transactions: [] };
const names = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);
const done = (missing: Partial<RequestedFacts>): ClassifiedTrace => ({
  state: 'ok',
  actions: [],
  missing: { account: [], data: [], pool: [], ...missing },
});

/** Finds something of every account, and notes what was asked for. */
function answering(asked: RequestedFacts[]): LookUpFacts {
  const found = (addresses: readonly string[]) =>
    new Map<string, AccountFacts | null>(addresses.map((address) => [address, {}]));
  return async (one) => {
    asked.push(one);
    return { account: found(one.account), data: found(one.data), pool: found(one.pool) };
  };
}

it('each sort of facts is looked up separately, up to the limit of an answer', async () => {
  const asked: RequestedFacts[] = [];
  const wanted = { account: names(3), data: names(1_200), pool: names(100) };
  const classify = (_: ClassifierTrace, known: KnownFacts) =>
    done({
      account: wanted.account.filter((one) => !known.account.has(one)),
      data: wanted.data.filter((one) => !known.data.has(one)),
      pool: wanted.pool.filter((one) => !known.pool.has(one)),
    });
  const outcomes = await classifyWith([{ trace: 1, input }], classify, answering(asked));
  expect(asked).toEqual([
    { account: wanted.account, data: wanted.data.slice(0, 1_000), pool: wanted.pool.slice(0, 64) },
  ]);
  expect(outcomes.get(1)).toEqual(done({ data: wanted.data.slice(1_000), pool: wanted.pool.slice(64) }));
});

it('facts that follow from facts are looked up in another round, and a trace with all of its facts is not classified again', async () => {
  const asked: RequestedFacts[] = [];
  const times = new Map<string, number>();
  const classify = ({ traceId }: ClassifierTrace, known: KnownFacts) => {
    times.set(traceId, (times.get(traceId) ?? 0) + 1);
    if (traceId === 'plain') return done({});
    if (!known.data.has('wallet')) return done({ data: ['wallet'] });
    return done(known.data.has('pool') ? {} : { data: ['pool'] });
  };
  const traces = ['plain', 'unstake'].map((traceId) => ({ trace: traceId, input: { ...input, traceId } }));
  await classifyWith(traces, classify, answering(asked));
  expect(asked.map(({ data }) => data)).toEqual([['wallet'], ['pool']]);
  expect(Object.fromEntries(times)).toEqual({ plain: 1, unstake: 3 });
});

it('rules that ask without end are answered by what is known', async () => {
  const asked: RequestedFacts[] = [];
  const classify = (_: ClassifierTrace, { account }: KnownFacts) => done({ account: [`${account.size}`] });
  const outcomes = await classifyWith([{ trace: 1, input }], classify, answering(asked));
  expect(outcomes.size).toBe(1);
  expect(asked).toHaveLength(5);
});
