import { describe, expect, it } from 'vitest';
import { type Trace, toKey } from '../../../../src/projections/traces/trace.ts';
import type {
  MessageFact,
  MessageKind,
  TransactionFact,
} from '../../../../src/projections/traces/trace-facts.ts';
import { type JoinedStep, TraceJoiner } from '../../../../src/projections/traces/trace-joiner.ts';

/** 32 bytes that begin with a number. */
const hash = (of: number): Buffer => {
  const bytes = Buffer.alloc(32, 0xee);
  bytes.writeUInt32BE(of, 4);
  return bytes;
};

/** A message: its number is its hash, and the lt at which it was made. */
const message = (kind: MessageKind, number: number): MessageFact => ({
  kind,
  createdLt: kind === 'external' ? 0n : BigInt(number),
  hash: hash(number),
  hashNorm: kind === 'external' ? hash(number + 1_000_000) : null,
});

type Messages = readonly [kind: MessageKind, number: number][];

/** A transaction of step `position`; its lt is its hash's number. */
const transaction = (position: number, lt: number, messages: Messages): TransactionFact => ({
  position,
  workchain: 0,
  utime: position * 5,
  lt: BigInt(lt),
  account: hash(lt),
  hash: hash(lt),
  messages: messages.map(([kind, number]) => message(kind, number)),
});

const summary = ({ state, messages, transactions, pending }: Trace) => ({
  state,
  messages,
  transactions,
  pending,
});
const counts = ({ begun, completed, broken }: JoinedStep) => [begun, completed, broken];

const PATIENCE = 100;

describe('traces of a step', () => {
  it('begin with an external message, and hold what follows whatever the order of the blocks', () => {
    const step = new TraceJoiner(PATIENCE).step([
      transaction(7, 30, [['internal', 12]]),
      transaction(7, 20, [
        ['internal', 11],
        ['sent', 12],
        ['log', 13],
      ]),
      transaction(7, 10, [
        ['external', 5],
        ['sent', 11],
      ]),
    ]);
    expect(step.transactions.map(({ fact, depth }) => [fact.lt, depth])).toEqual([
      [10n, 0],
      [20n, 1],
      [30n, 2],
    ]);
    expect(step.traces.map(summary)).toEqual([
      { state: 'complete', messages: 4, transactions: 3, pending: 0 },
    ]);
    expect(step.traces[0]).toMatchObject({
      id: hash(10),
      externalHash: hash(5),
      externalHashNorm: hash(1_000_005),
      startLt: 10n,
      endLt: 30n,
    });
    expect(step.sent).toEqual([]);
    expect(counts(step)).toEqual([1, 1, 0]);
  });

  it('begin with ticks, with messages of the system, and broken where the sender is not known', () => {
    const step = new TraceJoiner(PATIENCE).step([
      transaction(1, 10, []),
      transaction(1, 20, [['system', 19]]),
      transaction(1, 30, [['internal', 29]]),
    ]);
    expect(step.traces.map(summary)).toEqual([
      { state: 'complete', messages: 0, transactions: 1, pending: 0 },
      { state: 'complete', messages: 1, transactions: 1, pending: 0 },
      { state: 'broken', messages: 0, transactions: 1, pending: 1 },
    ]);
    expect(step.traces.map(({ externalHash }) => externalHash.equals(Buffer.alloc(32)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(counts(step)).toEqual([3, 2, 1]);
  });

  it('wait for their messages, and stay broken when all have come', () => {
    const joiner = new TraceJoiner(PATIENCE);
    const first = joiner.step([
      transaction(1, 10, [
        ['external', 5],
        ['sent', 11],
        ['sent', 12],
      ]),
      transaction(1, 20, [
        ['internal', 9],
        ['sent', 21],
      ]),
    ]);
    expect(first.traces.map(summary)).toEqual([
      { state: 'pending', messages: 1, transactions: 1, pending: 2 },
      { state: 'broken', messages: 0, transactions: 1, pending: 2 },
    ]);
    expect(first.sent.map(({ createdLt, depth }) => [createdLt, depth])).toEqual([
      [11n, 1],
      [12n, 1],
      [21n, 1],
    ]);
    const second = joiner.step([
      transaction(900_000, 40, [['internal', 12]]),
      transaction(900_000, 41, [['internal', 21]]),
    ]);
    expect(second.traces.map(summary)).toEqual([
      { state: 'pending', messages: 2, transactions: 2, pending: 1 },
      { state: 'broken', messages: 1, transactions: 2, pending: 1 },
    ]);
    expect(joiner.step([transaction(900_001, 50, [['internal', 11]])]).traces.map(summary)).toEqual([
      { state: 'complete', messages: 3, transactions: 3, pending: 0 },
    ]);
    expect(joiner.size).toBe(0);
  });
});

describe('messages in flight', () => {
  const sender = (position: number, lt: number) =>
    transaction(position, lt, [
      ['external', lt],
      ['sent', lt + 1],
    ]);

  it('leave memory with their traces, but for those that are not in the database yet', () => {
    const joiner = new TraceJoiner(PATIENCE);
    for (let position = 1; position <= 5; position++) joiner.step([sender(position, position * 10)]);
    expect(joiner.size).toBe(5);
    joiner.forget(3, 5);
    expect(
      [11, 21, 31].map((number) => joiner.has(toKey(BigInt(number), hash(number).readBigUInt64BE(0)))),
    ).toEqual([false, false, true]);
    joiner.forget(0, 4);
    expect(joiner.size).toBe(1);
  });

  it('are joined when they were given back', () => {
    const joiner = new TraceJoiner(PATIENCE);
    const { sent, traces } = joiner.step([sender(1, 10)]);
    const stored = sent.map((one) => ({ ...one, trace: { ...(traces[0] as Trace) } }));
    joiner.forget(0, 1);
    for (const one of stored) joiner.restore(one);
    const { traces: changed } = joiner.step([transaction(2, 20, [['internal', 11]])]);
    expect(changed.map(summary)).toEqual([{ state: 'complete', messages: 2, transactions: 2, pending: 0 }]);
  });
});

describe('a trace whose message never arrives', () => {
  const sender = (position: number, lt: number, to: number) =>
    transaction(position, lt, [
      ['external', lt + 1],
      ['sent', to],
    ]);

  it('is broken when it has waited for the patience, and no sooner', () => {
    const joiner = new TraceJoiner(5);
    joiner.step([sender(10, 100, 111)]);
    expect(joiner.step([transaction(14, 200, [])]).traces.map(summary)).toHaveLength(1);
    const step = joiner.step([transaction(15, 300, [])]);
    expect(step.traces.map(({ startLt, state, changedAt }) => [startLt, state, changedAt])).toEqual([
      [100n, 'broken', 15],
      [300n, 'complete', 15],
    ]);
    expect(counts(step)).toEqual([1, 1, 1]);
    expect(counts(joiner.step([transaction(30, 400, [])]))).toEqual([1, 1, 0]);
  });

  it('is joined by a late message all the same, and complete', () => {
    const joiner = new TraceJoiner(5);
    joiner.step([sender(10, 100, 111)]);
    joiner.step([transaction(20, 200, [])]);
    const step = joiner.step([transaction(90, 300, [['internal', 111]])]);
    expect(step.traces.map(summary)).toEqual([
      { state: 'complete', messages: 2, transactions: 2, pending: 0 },
    ]);
    expect(counts(step)).toEqual([0, 1, -1]);
  });

  it('waits anew after each change, and is held when memory had let it go', () => {
    const joiner = new TraceJoiner(5);
    const [waiting] = joiner.step([
      transaction(10, 100, [
        ['external', 5],
        ['sent', 111],
        ['sent', 112],
      ]),
    ]).traces;
    joiner.step([transaction(13, 200, [['internal', 111]])]);
    expect(joiner.step([transaction(17, 300, [])]).broken).toBe(0);
    joiner.forget(0, 17);
    expect(joiner.expiring(17)).toEqual([]);
    expect(joiner.expiring(18)).toEqual([toKey(100n, hash(100).readBigUInt64BE(0))]);
    joiner.hold(waiting!);
    expect(joiner.expiring(18)).toEqual([]);
    expect(joiner.step([transaction(18, 400, [])]).broken).toBe(1);
  });
});
