import { type RecordedTrace, toTrace } from '../../scripts/conformance/trace-fixture.ts';
import type { RowStart } from '../../src/engine/projection/row-maker.ts';
import type { RowParts } from '../../src/engine/projection/row-set.ts';
import type { TraceMessage, TraceTransaction } from '../../src/projections/actions/model/trace.ts';
import {
  FactWriter,
  type MessageFact,
  type TransactionFact,
} from '../../src/projections/traces/trace-facts.ts';
import { TracesMaker } from '../../src/projections/traces/traces-rows.ts';
import { BenchError } from '../common/bench-error.ts';
import { type Round, timed } from './recorded.ts';

/** The projection at the start of a chain: it never asks the store, which is not there. */
const START: RowStart = {
  client: null as never,
  database: '',
  partition: 0,
  partitions: 1,
  next: 0,
};

/** Transactions of recorded traces as the decoder hands them on, in the order of the chain. */
export function packedTransactions(recorded: readonly RecordedTrace[]): RowParts {
  const transactions = recorded.flatMap((one) => toTrace(one).transactions);
  const messages = transactions.reduce((sum, { outMessages }) => sum + 1 + outMessages.length, 0);
  const writer = new FactWriter(transactions.length, messages, null);
  for (const one of transactions.toSorted((a, b) => a.mcSeqno - b.mcSeqno)) writer.add(toFact(one));
  return writer.parts();
}

/** Joins all of them and makes their rows, with the memory of a new process. */
export function assembleRound(parts: RowParts): Round<void> {
  const rows = new TracesMaker(START).createRowSet();
  return timed(() => {
    rows.append(parts);
    rows.endStep?.();
  });
}

/** @throws BenchError if they are not joined into this number of traces */
export function checkJoined(parts: RowParts, traces: number): void {
  const maker = new TracesMaker(START);
  const begun = [...maker.add(parts), maker.endStep()].reduce((sum, step) => sum + step.begun, 0);
  if (begun !== traces) throw new BenchError(`${begun} traces were joined, not ${traces}`);
}

function toFact(one: TraceTransaction): TransactionFact {
  const [workchain, account] = one.account.split(':') as [string, string];
  const sent = one.outMessages.map((message) => toMessage(message, message.destination ? 'sent' : 'log'));
  return {
    position: one.mcSeqno,
    workchain: Number(workchain),
    utime: one.now,
    lt: one.lt,
    account: Buffer.from(account, 'hex'),
    hash: Buffer.from(one.hash, 'base64'),
    messages: one.inMessage ? [toMessage(one.inMessage, kindOfIncoming(one.inMessage)), ...sent] : sent,
  };
}

const SYSTEM = /^-1:0{64}$/;

function kindOfIncoming({ source }: TraceMessage): MessageFact['kind'] {
  if (source === null) return 'external';
  return SYSTEM.test(source) ? 'system' : 'internal';
}

function toMessage({ hash, createdLt }: TraceMessage, kind: MessageFact['kind']): MessageFact {
  const bytes = Buffer.from(hash, 'base64');
  return { kind, createdLt: createdLt ?? 0n, hash: bytes, hashNorm: kind === 'external' ? bytes : null };
}
