import { describe, expect, it } from 'vitest';
import { classifyTrace } from '../../../../src/projections/actions/classify.ts';
import { ALL_MATCHERS } from '../../../../src/projections/actions/families/all-matchers.ts';
import { blockThat } from '../../../../src/projections/actions/match/pattern.ts';
import { LoadedFacts } from '../../../../src/projections/actions/model/contract-facts.ts';
import type { Trace } from '../../../../src/projections/actions/model/trace.ts';
import { recordedColumns } from '../../../../src/projections/actions/out/recorded-columns.ts';
import type { BlockKind } from '../../../../src/projections/actions/tree/block.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { address, comment, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';

const WALLET = address('w');

function classify(root: Sent, facts = new LoadedFacts()) {
  return classifyTrace(traceFrom(root), facts);
}

const typesOf = (root: Sent): string[] => classify(root).actions.map(({ type }) => type);
const wallet = (...sends: Sent[]): Sent => ({ to: WALLET, sends });

describe('basic actions', () => {
  it('a plain transfer with a comment, and the transaction that sent it', () => {
    const [action, ...others] = classify(
      wallet({ op: 0, to: address('a'), body: comment('hello'), value: 5n }),
    ).actions;
    expect(others).toEqual([]);
    expect(recordedColumns(action!)).toMatchObject({
      type: 'ton_transfer',
      success: true,
      source: WALLET,
      destination: address('a'),
      value: 5n,
      ton_transfer_data: { content: 'hello', encrypted: false },
    });
    expect(action!.txHashes).toHaveLength(2);
    expect(new Set(action!.accounts)).toEqual(new Set([WALLET, address('a')]));
  });

  it('an encrypted comment is base64, bytes that are no text are escaped, a broken snake or no text is none', () => {
    const commentOf = (op: number, body: (builder: CellBuilder) => void) =>
      classify(wallet({ op, to: address('a'), body })).actions[0]!.columns.ton_transfer_data;
    expect(commentOf(0x2167da4b, comment('cipher'))).toEqual({ content: btoa('cipher'), encrypted: true });
    expect(commentOf(0, (builder) => builder.bytes(new Uint8Array([0x61, 0xff, 0, 0x62])))).toEqual({
      content: 'a\\xffb',
      encrypted: false,
    });
    for (const nothing of [(builder: CellBuilder) => builder.uint(1, 4), () => {}])
      expect(commentOf(0, nothing)).toEqual({ content: null, encrypted: false });
  });

  it('a deployment is an action of its own; logs and externals are none', () => {
    expect(typesOf(wallet({ op: 5, to: address('a'), deploys: true, sends: [{ op: 6, to: null }] }))).toEqual(
      ['call_contract', 'contract_deploy'],
    );
  });

  it('an aborted transfer fails by the bounce flag; a call without value does not', () => {
    const success = (sent: Sent): boolean => classify(wallet(sent)).actions[0]!.success;
    expect(success({ to: address('a'), aborted: true, bounce: true })).toBe(false);
    expect(success({ op: 5, to: address('a'), aborted: true })).toBe(false);
    expect(success({ op: 5, to: address('a'), aborted: true, value: 0n })).toBe(true);
  });

  it('a lone tick-tock has no action, an external that does nothing is unknown', () => {
    const lone = traceFrom({ to: WALLET });
    const tickTock: Trace = {
      ...lone,
      transactions: [{ ...lone.transactions[0]!, isTickTock: true, inMessage: null }],
    };
    expect(classifyTrace(tickTock, new LoadedFacts()).actions).toEqual([]);
    expect(classifyTrace(lone, new LoadedFacts()).actions).toMatchObject([
      { type: 'unknown', actionId: lone.traceId, success: true },
    ]);
  });

  it('a message without body leaves the basic actions', () => {
    const { actions, state } = classify(
      wallet({
        op: 0x0f8a7ea5,
        to: address('j'),
        bodiless: true,
        sends: [{ op: 0x178d4519, to: address('k') }],
      }),
    );
    expect(state).toBe('failed');
    expect(actions.map(({ type }) => type)).toEqual(['call_contract', 'call_contract']);
  });

  it('a message that is listed twice is received once', () => {
    const trace = traceFrom(wallet({ op: 5, to: address('j') }));
    const twice = {
      ...trace,
      transactions: trace.transactions.flatMap((one) => [
        { ...one, outMessages: [...one.outMessages, ...one.outMessages] },
      ]),
    };
    const { actions, state } = classifyTrace(twice, new LoadedFacts());
    expect([state, actions.map(({ type }) => type)]).toEqual(['ok', ['call_contract']]);
  });
});

describe('matchers that are given as values', () => {
  const root = wallet(
    { op: 5, to: address('a'), sends: [{ op: 6, to: address('b') }] },
    { op: 0, to: address('c'), body: comment('hello') },
  );
  const trace = traceFrom(root);
  const fail = (): never => {
    throw new TypeError('ours');
  };

  it('one that throws is named with the trace, wherever it stands, and the rest is classified as before', () => {
    const before = classifyTrace(trace, new LoadedFacts());
    for (const [name, pattern] of [
      ['broken in its test', blockThat(({ opcode }) => opcode === 5 && fail())],
      ['broken in its build', blockThat(({ opcode }) => opcode === 5, { build: fail })],
    ] as const)
      for (const at of [0, 20, ALL_MATCHERS.length]) {
        const matchers = ALL_MATCHERS.toSpliced(at, 0, { name, pattern });
        const { problems, ...rest } = classifyTrace(trace, new LoadedFacts(), { matchers });
        expect(problems).toMatchObject([
          { matcher: name, traceId: trace.traceId, error: { message: 'ours' } },
        ]);
        expect({ ...rest, problems: [] }).toEqual(before);
      }
  });

  it('one that takes its own blocks without end leaves the basic actions', () => {
    const kind: BlockKind<null> = { name: 'made', type: 'made', columns: () => ({}), details: null };
    const pattern = blockThat(() => true, {
      build: (block, _found, context) => context.merge({ kind, data: null, parts: [block] }),
    });
    const outcome = classifyTrace(trace, new LoadedFacts(), {
      matchers: [...ALL_MATCHERS, { name: 'endless', pattern }],
    });
    expect(outcome.state).toBe('failed');
    expect(outcome.actions.map(({ type }) => type)).toEqual([
      'call_contract',
      'ton_transfer',
      'call_contract',
    ]);
    expect(outcome.problems).toMatchObject([
      { matcher: 'the trace as a whole', traceId: trace.traceId, error: { name: 'MatcherLoopError' } },
    ]);
  });
});

const transferBody = (receiver: string) => (builder: CellBuilder) => {
  putAddress(builder.bigUint(7n, 64).coins(100n), receiver);
  putAddress(builder, null).bit(false).coins(1n).bit(false).uint(0, 32).bytes(new TextEncoder().encode('hi'));
};

const internalBody = (builder: CellBuilder) => {
  putAddress(builder.bigUint(7n, 64).coins(99n), null);
  putAddress(builder, null).coins(2n);
};

describe('jetton transfers', () => {
  const transfer = (aborted = false): Sent =>
    wallet({
      op: 0x0f8a7ea5,
      to: address('j'),
      body: transferBody(address('b')),
      sends: [
        {
          op: 0x178d4519,
          to: address('k'),
          body: internalBody,
          aborted,
          sends: [{ op: 0x7362d09c, to: address('c') }],
        },
      ],
    });
  const facts = () => {
    const known = new LoadedFacts();
    known.add(address('k'), { jettonWallet: { owner: address('c'), jetton: address('m') } });
    return known;
  };

  it('has the receiver by the registered owner and the amount that arrived', () => {
    const { actions } = classify(transfer(), facts());
    expect(actions.map(recordedColumns)).toMatchObject([
      {
        type: 'jetton_transfer',
        success: true,
        source: WALLET,
        source_secondary: address('j'),
        destination: address('c'),
        destination_secondary: address('k'),
        asset: address('m'),
        amount: 99n,
        jetton_transfer_data: {
          query_id: 7n,
          forward_amount: 2n,
          comment: 'hi',
          is_encrypted_comment: false,
        },
      },
    ]);
    expect(actions[0]!.txHashes).toHaveLength(4);
  });

  it('fails when the internal transfer was aborted', () => {
    expect(classify(transfer(true), facts()).actions[0]!.success).toBe(false);
  });

  it('stays calls while the receiving wallet is not known, which is noted as missing', () => {
    const nothing = new LoadedFacts();
    expect(classify(transfer(), nothing).actions.map(({ type }) => type)).toEqual([
      'call_contract',
      'call_contract',
      'call_contract',
    ]);
    expect(nothing.missing.has(address('k'))).toBe(true);
  });
});

describe('messages that a wallet was asked for and did not send', () => {
  const message = (value: bigint) => {
    const builder = putAddress(new CellBuilder().uint(0b0110, 4).uint(0, 2), address('a')).coins(value);
    return builder.bit(false).coins(0n).coins(0n).bigUint(0n, 96).uint(0, 2).uint(0, 32).cell();
  };

  it('are transfers without success, two equal ones two', () => {
    const body = (builder: CellBuilder) => {
      for (let word = 0; word < (512 + 96) / 32; word++) builder.uint(0, 32);
      builder.uint(3, 8).ref(message(5n)).ref(message(5n));
    };
    const { actions } = classify({ to: WALLET, body });
    expect(actions.map(recordedColumns)).toMatchObject([
      { type: 'ton_transfer', success: false, destination: address('a'), value: 5n },
      { type: 'ton_transfer', success: false, destination: address('a'), value: 5n },
    ]);
    expect(new Set(actions.map(({ actionId }) => actionId)).size).toBe(2);
    expect(actions[0]!.accounts).toEqual([WALLET]);
  });
});
