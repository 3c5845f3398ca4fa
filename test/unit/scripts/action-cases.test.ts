import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CasesError, runCases } from '../../../scripts/conformance/action-cases.ts';
import { findDifferences } from '../../../scripts/conformance/compare-values.ts';
import { holds } from '../../../scripts/conformance/condition.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonhouse-cases-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
const outcomes = () => runCases(folder).map(({ group, name, got }) => [group, name, got]);

/** A trace of one external message that does nothing. */
const TRACE = {
  trace: { trace_id: 'tx' },
  interfaces: {},
  transactions: [
    {
      ...{ hash: 'tx', account: '0:1', lt: '1', now: 1, mc_block_seqno: 1, aborted: false, descr: 'ord' },
      ...{ orig_status: 'active', end_status: 'active', compute_exit_code: 0, out_msgs: [] },
      in_msg: {
        ...{
          msg_hash: 'm',
          source: null,
          destination: '0:1',
          value: null,
          created_lt: null,
          created_at: null,
        },
        ...{ opcode: null, bounce: null, value_extra_currencies: null, init_state_boc_base64: null },
        body_boc_base64: 'te6ccgEBAQEAAgAAAA==',
      },
    },
  ],
};
const caseOf = (type: string) => ({
  case: type,
  trace_file: 'traces/one.json',
  expected_actions: [{ type }],
});

/** The same, sent on: `value` to another account. Fields without information are omitted. */
const sentOn = (value: string) => {
  const [first] = TRACE.transactions;
  const message = {
    ...{ msg_hash: 'n', source: '0:1', destination: '0:2', value, created_lt: '2', created_at: 1 },
    body_boc_base64: 'te6ccgEBAQEAAgAAAA==',
  };
  const { compute_exit_code: _, out_msgs: __, ...second } = first!;
  return {
    trace: TRACE.trace,
    transactions: [
      { ...first, out_msgs: [message] },
      { ...second, hash: 'ty', account: '0:2', lt: '3', in_msg: message },
    ],
  };
};

it('amounts count to the last digit, however long, and a trace may leave fields out', () => {
  mkdirSync(join(folder, 'cases'));
  write('one.json', sentOn('1000000000000000000001'));
  const named = (value: string) =>
    `{"case": "c", "trace_file": "traces/one.json", "expected_actions": [{"type": "ton_transfer", "values": {"value": ${value}}}]}`;
  const values = ['1000000000000000000001', '"1000000000000000000001"', '1000000000000000000002', '1e21'];
  write('cases/some.json', `{"cases": [${values.map(named).join(', ')}]}`);
  expect(outcomes().map(([, , got]) => got)).toEqual([
    'ok',
    'ok',
    expect.stringContaining('"1000000000000000000002"'),
    'ok',
  ]);
  expect(findDifferences({ a: 1e21, b: 1e21 }, { a: 10n ** 21n, b: 10n ** 22n })).toMatchObject([
    { path: 'b' },
  ]);
});

it('a folder without cases, or none at all, is an error', () => {
  expect(() => runCases(folder)).toThrow(CasesError);
  expect(() => runCases(join(folder, 'none'))).toThrow(`${join(folder, 'none')} is no folder`);
  write('empty.json', { cases: [] });
  expect(() => runCases(folder)).toThrow(CasesError);
});

it('a broken file fails alone, and a trace beside the cases is no file of cases', () => {
  write('broken.json', '{ "cases": [');
  write('list.json', []);
  write('one.json', TRACE);
  write('right.json', { group: 'g', cases: [caseOf('unknown')] });
  expect(outcomes()).toEqual([
    ['broken', 'the file', expect.stringContaining('JsonTextError')],
    ['list', 'the file', expect.stringContaining('no list `cases`')],
    ['g', 'unknown', 'ok'],
  ]);
});

it('a case fails by its type, its trace or its form, each by itself', () => {
  mkdirSync(join(folder, 'cases'));
  write('one.json', TRACE);
  write('cases/some.json', {
    cases: [
      caseOf('no_such_type'),
      { ...caseOf('unknown'), trace_file: 'traces/lost.json' },
      { ...caseOf('unknown'), expected_actions: [] },
      { ...caseOf('unknown'), trace_file: null },
      { ...caseOf('unknown'), expected_actions: [{ type: 'unknown', selector_source: '{{ what }}' }] },
      caseOf('unknown'),
    ],
  });
  expect(outcomes().map(([, , got]) => got)).toEqual([
    '0 actions of the type; all: unknown',
    expect.stringContaining('ENOENT'),
    'no list `expected_actions`',
    'no `trace_file`',
    expect.stringContaining('ConditionError'),
    'ok',
  ]);
  expect(new Set(runCases(folder).map(({ id }) => id)).size).toBe(6);
});

it.each([
  ['beside its cases', '.', '.'],
  ['in a folder of its own', '.', 'traces'],
  ['above its cases', 'cases', 'traces'],
])('a trace is found %s, packed or not, by its name or its id', (_, cases, traces) => {
  for (const one of [cases, traces]) mkdirSync(join(folder, one), { recursive: true });
  write(join(traces, 'one.json'), TRACE);
  writeFileSync(join(folder, traces, 'a-b_c=.json.gz'), gzipSync(JSON.stringify(TRACE)));
  const { trace_file: _file, ...unnamed } = caseOf('unknown');
  write(join(cases, 'some.json'), {
    cases: [caseOf('unknown'), { ...unnamed, trace_id: 'a-b_c=' }, { ...unnamed, trace_id: 'a+b/c=' }],
  });
  writeFileSync(
    join(folder, cases, 'more.json.gz'),
    gzipSync(JSON.stringify({ cases: [caseOf('unknown')] })),
  );
  expect(outcomes().filter(([group]) => group !== 'a-b_c=')).toEqual([
    ['more', 'unknown', 'ok'],
    ['some', 'unknown', 'ok'],
    ['some', 'unknown', 'ok'],
    ['some', 'unknown', 'ok'],
  ]);
});

it('a recording may have its ops as bits alone, no facts and no name', () => {
  mkdirSync(join(folder, 'cases'));
  const { transactions } = sentOn('5');
  for (const { in_msg } of transactions)
    Object.assign(in_msg, { opcode_hex: '0xd53276db', opcode: undefined });
  write('one.json', { transactions, interfaces: null });
  write('cases/some.json', {
    cases: [
      {
        ...caseOf('x'),
        expected_actions: [{ type: 'call_contract', values: { opcode: 0xd53276db, trace_id: 'tx' } }],
      },
    ],
  });
  expect(outcomes().map(([, , got]) => got)).toEqual(['ok']);
});

describe('a condition', () => {
  const value = { a: { b: [null, '7'] }, opcode: 0x0490f09b, amount: 12n, name: 'dedust', flag: false };

  it.each([
    'value.opcode == 0x0490f09b and value.amount == 12',
    "value.name == 'stonfi' or value.name == 'dedust'",
    'value.a.b[0] is None and value.a.b[1] is not none',
    'value.missing == None',
    '(value.amount > 5) and not (value.amount >= 13)',
    "value.name in ['dedust', 'tonco'] and 'ust' in value.name",
    "'x' not in value.name",
    'len(value.a.b) == 2 and value.a.b | length < 3',
    'value.flag == False',
    'value.name',
  ])('%s holds', (condition) => expect(holds(condition, value)).toBe(true));

  it.each([
    'value.amount != 12',
    'value.name == None',
    'value.flag',
    'value.a.b[0]',
    'value.amount < 12 or value.amount > 12',
    'value.name > 5',
  ])('%s does not hold', (condition) => expect(holds(condition, value)).toBe(false));

  it.each(['', 'value ==', 'value.a ~ 5', '(value', 'what', 'value | upper', 'value 5'])(
    '%s is not understood',
    (condition) => expect(() => holds(condition, value)).toThrow('condition: '),
  );

  it('stands for a value that is expected', () => {
    const expected = {
      'a.b': ['{{ value == 7 }}', null],
      amount: '{{ value > 11 }}',
      name: '{{ value is None }}',
    };
    expect(findDifferences(expected, value)).toMatchObject([{ path: 'name' }]);
  });
});
