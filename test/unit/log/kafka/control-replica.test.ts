import { describe, expect, it } from 'vitest';
import type { CommandName, Commands } from '../../../../src/log/coordination/commands.ts';
import { FencedError, LeaseHeldError } from '../../../../src/log/errors.ts';
import { NewerControlLogError, type Outcome } from '../../../../src/log/kafka/control/apply-envelope.ts';
import { ControlReplica } from '../../../../src/log/kafka/control/control-replica.ts';
import {
  advanceClock,
  type ControlState,
  readState,
  writeState,
} from '../../../../src/log/kafka/control/control-state.ts';
import type { StoredRecord } from '../../../../src/log/kafka/wire/record-batch.ts';

const SELF = 'self';
const IDENTITY = { network: 'test', id: 'a', epochSize: 10, lanes: 2, facts: {} };

/** A control log in memory. */
class Script {
  readonly records: StoredRecord[] = [];
  at = 1_000;
  #seq = 0;

  command<Name extends CommandName>(name: Name, args: Commands[Name]['args'], more: object = {}): this {
    return this.add('command', { v: 1, client: SELF, seq: ++this.#seq, name, args, ...more });
  }

  add(key: string, value: object): this {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    this.records.push({ offset: this.records.length, timestamp: this.at, key, value: bytes, headers: {} });
    return this;
  }
}

/** A replica, and its output. */
function replica(snapshotEvery = 1_000) {
  const told = {
    outcomes: [] as Outcome[],
    lost: [] as number[],
    snapshots: [] as string[],
    before: [] as number[],
  };
  const listener = {
    settled: (_: number, outcome: Outcome) => void told.outcomes.push(outcome),
    lost: (seq: number) => void told.lost.push(seq),
    snapshotDue: (text: string) => void told.snapshots.push(text),
    superfluous: (before: number) => void told.before.push(before),
  };
  return { copy: new ControlReplica(SELF, snapshotEvery, listener), told };
}

function play(script: Script) {
  const { copy, told } = replica();
  copy.restart(0);
  copy.apply(script.records);
  return {
    copy,
    told,
    refused: told.outcomes.map((outcome) => (outcome && 'refused' in outcome ? outcome.refused : null)),
  };
}

const writer = { topic: 'raw', sessionMs: 100 };

describe('the control replica', () => {
  it('ends leases on time after the brokers clock was set back, and continues from a snapshot of that', () => {
    const script = new Script().command('establish', { identity: IDENTITY });
    script.command('topic', { name: 'raw', kind: 'steps' });
    script.at = 10_000_000;
    script.command('takeWriter', { owner: 'dead', ...writer });
    // Set back by more than a session: the first command finds it, and time goes on from there.
    script.at = 5_000_000;
    script.command('takeWriter', { owner: 'next', ...writer });
    script.at += 100;
    script.command('takeWriter', { owner: 'next', ...writer });
    const { copy, refused } = play(script);
    expect(refused.slice(2)).toEqual([null, expect.any(LeaseHeldError), null]);
    expect(copy.state.now).toBe(10_000_100);
    const restored = readState(writeState(copy.state as ControlState));
    advanceClock(restored, script.at + 50);
    expect(restored.now).toBe(10_000_150);
  });

  it('continues after a snapshot of a version without partitions', () => {
    const lane = (number: number, owner: string | null, pending: object | null) =>
      `{"lane":${number},"committed":4,"generation":3,"owner":${JSON.stringify(owner)},"expiresAt":2000,"revoked":false,"pending":${JSON.stringify(pending)}}`;
    const entry = {
      lane: 0,
      epoch: 0,
      from: 4,
      next: 9,
      firstPosition: 4,
      lastPosition: 8,
      attempt: 1,
      expected: {},
    };
    const state =
      '{"identity":{"network":"test","id":"a","epochSize":10,"lanes":2,"facts":{}},' +
      '"topics":[["raw",{"name":"raw","kind":"steps","low":[0,0]}]],"writers":[],' +
      `"groups":[["raw\\ndecode",{"topic":"raw","group":"decode","members":[["old",2000]],"lanes":[${lane(0, 'old', entry)},${lane(1, null, null)}]}]],` +
      '"clients":[["old",{"seq":9,"at":1000}]],"now":1000}';
    const script = new Script();
    script.add('snapshot', { v: 1, upTo: 41, state, client: 'old' });
    script.at = 2_000;
    script.command('claim', { topic: 'raw', group: 'decode', owner: 'new', sessionMs: 100, held: [] });
    const { copy, told } = replica();
    copy.restart(42);
    copy.apply(script.records.map((record) => ({ ...record, offset: record.offset + 42 })));
    expect(told.outcomes).toEqual([
      {
        result: [
          { lane: 0, committed: 4, generation: 4, owner: 'new' },
          { lane: 1, committed: 4, generation: 4, owner: 'new' },
        ],
      },
    ]);
    expect([...copy.state.groups.values()][0]?.lanes[0]?.pending).toEqual(entry);
  });

  it('gives a lease to the first, by the brokers clock, and to the next when it has lapsed', () => {
    const script = new Script();
    script.command('takeWriter', { ...writer, owner: 'a' });
    script.command('takeWriter', { ...writer, owner: 'b' });
    script.at += 100;
    script.command('takeWriter', { ...writer, owner: 'b' });
    script.command('renewWriter', { ...writer, owner: 'a', generation: 1 });
    const { refused } = play(script);
    expect(refused[0]).toBeNull();
    expect(refused[1]).toBeInstanceOf(LeaseHeldError);
    expect(refused[2]).toBeNull();
    expect(refused[3]).toBeInstanceOf(FencedError);
    expect(refused[3]).toMatchObject({ generation: 1, current: 2 });
  });

  it('does not go back in time with a clock that does', () => {
    const script = new Script();
    script.command('takeWriter', { ...writer, owner: 'a' });
    script.at -= 500;
    script.command('renewWriter', { ...writer, owner: 'a', generation: 1 });
    const { copy } = play(script);
    expect(copy.state.writers.get('raw')?.expiresAt).toBe(1_100);
  });

  it('applies a command once, however often it was sent', () => {
    const script = new Script();
    script.command('takeWriter', { ...writer, owner: 'a' });
    script.add('command', JSON.parse(new TextDecoder().decode(script.records[0]?.value ?? new Uint8Array())));
    const { copy, told } = play(script);
    expect(copy.state.writers.get('raw')?.generation).toBe(1);
    expect(told.outcomes).toHaveLength(2);
    expect(told.outcomes[1]).toBeNull();
  });

  it('leaves the state unchanged on a refusal', () => {
    const script = new Script();
    script.command('establish', { identity: IDENTITY });
    script.command('topic', { name: 'raw', kind: 'steps' });
    const before = play(script).copy.state;
    script.command('topic', { name: 'raw', kind: 'records' });
    script.command('establish', { identity: { ...IDENTITY, lanes: 3 } });
    script.command('topic', { name: '_raw', kind: 'records' });
    const { copy, refused } = play(script);
    expect(refused.slice(2).map((error) => error?.name)).toEqual([
      'InvalidRequestError',
      'IdentityMismatchError',
      'InvalidRequestError',
    ]);
    expect({ ...copy.state, clients: null }).toEqual({ ...before, clients: null });
  });

  it.each([
    ['a command', 'command', { v: 1, client: 'x', seq: 1, name: 'fly', args: {} }],
    ['a version', 'command', { v: 2, client: 'x', seq: 1, name: 'claim', args: {} }],
    ['a record', 'letter', {}],
  ])('stops at %s that it does not know', (_, key, value) => {
    const { copy } = replica();
    copy.restart(0);
    expect(() => copy.apply(new Script().add(key, value).records)).toThrow(NewerControlLogError);
  });
});

describe('snapshots of the control log', () => {
  /** A log whose process writes a snapshot whenever it is due. */
  function logWithSnapshots(commands: number) {
    const { copy, told } = replica(5);
    const script = new Script();
    copy.restart(0);
    script.command('establish', { identity: IDENTITY }).command('topic', { name: 'raw', kind: 'steps' });
    script.command('join', { topic: 'raw', group: 'g' });
    const member = { topic: 'raw', group: 'g', sessionMs: 100, held: [] };
    for (let index = 0; index < commands; index++)
      script.command('claim', { ...member, owner: `m${index % 3}` });
    const written = script.records.splice(0);
    for (const { value } of written) {
      script.add('command', JSON.parse(new TextDecoder().decode(value ?? new Uint8Array())));
      copy.apply(script.records.slice(-1));
      const due = told.snapshots.shift();
      if (!due) continue;
      script.add('snapshot', JSON.parse(due));
      copy.apply(script.records.slice(-1));
    }
    return { copy, told, script };
  }

  it('take the place of what was before the one before', () => {
    const { copy, told, script } = logWithSnapshots(23);
    expect(told.before.length).toBeGreaterThanOrEqual(3);
    const from = told.before.at(-1) as number;
    const late = replica().copy;
    late.restart(from);
    late.apply(script.records.slice(from));
    expect(late.state).toEqual(copy.state);
  });

  it('are skipped if commands after them were deleted', () => {
    const { copy, told } = replica(4);
    const script = new Script();
    const say = (key: string, value: object) => copy.apply(script.add(key, value).records.slice(-1));
    const claim = () => {
      script.command('claim', { topic: 'raw', group: 'g', sessionMs: 100, held: [], owner: 'm' });
      copy.apply(script.records.slice(-1));
    };
    copy.restart(0);
    script.command('establish', { identity: IDENTITY }).command('topic', { name: 'raw', kind: 'steps' });
    copy.apply(script.command('join', { topic: 'raw', group: 'g' }).records);
    for (let index = 0; index < 5; index++) claim();
    // Written late: the log now begins after its needs.
    say('snapshot', JSON.parse(told.snapshots.shift() ?? ''));
    for (let index = 0; index < 4; index++) claim();
    say('snapshot', JSON.parse(told.snapshots.shift() ?? ''));
    claim();
    const late = replica().copy;
    late.restart(6);
    late.apply(script.records.slice(6, -3));
    expect(() => late.state).toThrow('not read yet');
    late.apply(script.records.slice(-3));
    expect(late.state).toEqual(copy.state);
  });

  it('show a process which of its commands get no result', () => {
    const { told, script } = logWithSnapshots(23);
    const late = replica();
    const from = told.before.at(-1) as number;
    late.copy.restart(from);
    late.copy.apply(script.records.slice(from));
    expect(late.told.lost).toHaveLength(1);
    expect(late.told.lost[0]).toBeGreaterThan(5);
  });
});
