import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type RecordedTrace, toFacts, toTrace } from '../../scripts/conformance/trace-fixture.ts';
import { parseJson } from '../../src/api/http/json-source.ts';
import { classifyTrace } from '../../src/projections/actions/classify.ts';
import { addPools } from '../../src/projections/actions/find-pools.ts';
import type { ContractFacts } from '../../src/projections/actions/model/contract-facts.ts';
import type { Trace, TraceMessage } from '../../src/projections/actions/model/trace.ts';
import type {
  ActionFact,
  Details,
  MessageFact,
  TransactionFact,
} from '../../src/projections/lake/action-fact.ts';

/** A successful action as the projection `lake` reads it, with its transactions. */
export interface LakeAction {
  readonly action: ActionFact;
  readonly transactions: readonly TransactionFact[];
}

/** Traces that were recorded in a folder. */
export function recordedTraces(folder: string): readonly RecordedTrace[] {
  return readdirSync(folder)
    .filter((name) => /\.json(\.gz)?$/.test(name))
    .map((name) => {
      const bytes = readFileSync(`${folder}/${name}`);
      const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
      return parseJson((isPacked ? gunzipSync(bytes) : bytes).toString('utf8')) as unknown as RecordedTrace;
    })
    .filter((one) => one.transactions !== undefined);
}

/** The successful actions of a recorded trace. */
export function lakeActions(recorded: RecordedTrace): readonly LakeAction[] {
  return classifiedActions(toTrace(recorded), toFacts(recorded));
}

/** The successful actions of a trace. */
export function classifiedActions(trace: Trace, facts: ContractFacts): readonly LakeAction[] {
  const { actions } = classifyTrace(trace, addPools(trace, facts));
  return actions
    .filter(({ success, details }) => success && details !== null)
    .map(({ type, actionId, txHashes, details }) => ({
      action: {
        position: 1,
        type,
        traceId: trace.traceId,
        actionId,
        txHashes,
        details: JSON.parse(
          JSON.stringify(details, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
        ) as Details,
      },
      transactions: txHashes.flatMap((hash) => {
        const found = trace.transactions.find((one) => one.hash === hash);
        if (!found) return [];
        const { account, lt, now, inMessage, outMessages } = found;
        const messages = [
          ...(inMessage ? [toFact('in', inMessage)] : []),
          ...outMessages.map((one) => toFact('out', one)),
        ];
        return [{ hash, account, lt, now, messages }];
      }),
    }));
}

function toFact(direction: 'in' | 'out', message: TraceMessage): MessageFact {
  const { opcode, source, destination, value, body } = message;
  return {
    direction,
    opcode,
    bounced: opcode === 0xffffffff,
    source,
    destination,
    value: value ?? 0n,
    fwdFee: 0n,
    body: body ?? new Uint8Array(),
  };
}
