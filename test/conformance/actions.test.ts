import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCases } from '../../scripts/conformance/action-cases.ts';
import { type RecordedTrace, toFacts, toTrace } from '../../scripts/conformance/trace-fixture.ts';
import { classifyTrace } from '../../src/projections/actions/classify.ts';
import type { Trace, TraceTransaction } from '../../src/projections/actions/model/trace.ts';
import { describeWithData } from '../helpers/shared-data.ts';

/** Groups of recorded cases. */
const GROUPS = [
  'cocoon',
  'coffee',
  'dedust-liquidities',
  'ethena',
  'evaa',
  'jetton-mints',
  'jetton-transfer',
  'jvault',
  'layerzero',
  'nft',
  'stonfi-swaps',
  'stonfi-v2-swaps',
  'tgbtc',
  'ton-transfers',
  'tonco',
  'tonstakers',
  'vesting',
];

describeWithData('recorded traces become the actions that are expected', (data) => {
  const outcomes = runCases(join(data, 'traces'));
  it.each(GROUPS)('%s', (group) => {
    const own = outcomes.filter((one) => one.group === group);
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ got }) => got !== 'ok')).toEqual([]);
  });
});

const EXCESS = 0xd53276db;

/** The trace without excesses that nothing follows from. */
function withoutExcesses({ traceId, transactions }: Trace): Trace {
  const isExcess = ({ inMessage, outMessages }: TraceTransaction) =>
    inMessage?.opcode === EXCESS && outMessages.length === 0;
  const left = new Set(transactions.filter(isExcess).map(({ inMessage }) => inMessage!.hash));
  return {
    traceId,
    transactions: transactions
      .filter((one) => !isExcess(one))
      .map((one) => ({ ...one, outMessages: one.outMessages.filter(({ hash }) => !left.has(hash)) })),
  };
}

describeWithData('actions of recorded traces', (data) => {
  const folder = join(data, 'traces');
  const recorded = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RecordedTrace);
  const told = (one: RecordedTrace, change: (trace: Trace) => Trace) =>
    classifyTrace(change(toTrace(one)), toFacts(one))
      .actions.map(({ type, success, details }) => ({ type, success, details }))
      .filter(({ type }) => type !== 'call_contract');

  it('do not depend on excesses', () => {
    for (const one of recorded) expect(told(one, withoutExcesses)).toEqual(told(one, (trace) => trace));
  });

  it('do not depend on the order in which transactions are given', () => {
    for (const one of recorded)
      expect(told(one, (trace) => ({ ...trace, transactions: trace.transactions.toReversed() }))).toEqual(
        told(one, (trace) => trace),
      );
  });
});
