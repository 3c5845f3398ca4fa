import type { Trace, TraceMessage, TraceTransaction } from '../../src/projections/actions/model/trace.ts';
import type { SeededRandom } from './seeded-random.ts';

type Change = (trace: Trace, random: SeededRandom) => Trace;

const oneOf = ({ transactions }: Trace, random: SeededRandom): TraceTransaction => random.pick(transactions);

/** The trace with one transaction changed. */
function withTransaction(trace: Trace, changed: TraceTransaction): Trace {
  const { inMessage } = changed;
  return {
    ...trace,
    transactions: trace.transactions.map((one) => (one.inMessage === inMessage ? changed : one)),
  };
}

/** The trace with one message changed on both of its sides. */
function withMessage(trace: Trace, hash: string, change: (message: TraceMessage) => TraceMessage): Trace {
  const changed = (message: TraceMessage) => (message.hash === hash ? change(message) : message);
  return {
    ...trace,
    transactions: trace.transactions.map((one) => ({
      ...one,
      inMessage: one.inMessage && changed(one.inMessage),
      outMessages: one.outMessages.map(changed),
    })),
  };
}

/** The trace without a message and all that followed from it. */
export function withoutMessage(trace: Trace, hash: string): Trace {
  const gone = new Set([hash]);
  for (let before = 0; before !== gone.size; ) {
    before = gone.size;
    for (const { inMessage, outMessages } of trace.transactions)
      if (inMessage && gone.has(inMessage.hash)) for (const one of outMessages) gone.add(one.hash);
  }
  return {
    ...trace,
    transactions: trace.transactions
      .filter(({ inMessage }) => !inMessage || !gone.has(inMessage.hash))
      .map((one) => ({ ...one, outMessages: one.outMessages.filter((message) => !gone.has(message.hash)) })),
  };
}

/** Changes that give another trace of the same kind, or of an unknown kind. */
const CHANGES: readonly Change[] = [
  function dropped(trace, random) {
    const { outMessages } = oneOf(trace, random);
    return outMessages.length === 0 ? trace : withoutMessage(trace, random.pick(outMessages).hash);
  },
  function aborted(trace, random) {
    const one = oneOf(trace, random);
    return withTransaction(trace, { ...one, aborted: !one.aborted, exitCode: random.below(300) });
  },
  function deployed(trace, random) {
    const originalStatus = random.pick(['uninit', 'nonexist', 'frozen', 'active'] as const);
    return withTransaction(trace, { ...oneOf(trace, random), originalStatus, endStatus: 'active' });
  },
  function reordered(trace, random) {
    const one = oneOf(trace, random);
    return withTransaction(trace, { ...one, outMessages: one.outMessages.toReversed() });
  },
  function misread(trace, random) {
    const [from, to] = [oneOf(trace, random).inMessage, oneOf(trace, random).inMessage];
    return from && to ? withMessage(trace, to.hash, (one) => ({ ...one, body: from.body })) : trace;
  },
  function renamed(trace, random) {
    const [from, to] = [oneOf(trace, random).inMessage, oneOf(trace, random).inMessage];
    return from && to ? withMessage(trace, to.hash, (one) => ({ ...one, opcode: from.opcode })) : trace;
  },
  function repeated(trace, random) {
    const [from, to] = [oneOf(trace, random).inMessage, oneOf(trace, random).inMessage];
    if (!from || !to) return trace;
    return withMessage(trace, to.hash, (one) => ({ ...one, opcode: from.opcode, body: from.body }));
  },
];

/** The trace with one to four changes. */
export function mutated(trace: Trace, random: SeededRandom): Trace {
  let result = trace;
  for (let left = 1 + random.below(4); left > 0; left--) result = random.pick(CHANGES)(result, random);
  return result;
}
