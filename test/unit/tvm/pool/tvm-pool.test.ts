import { beginCell, Cell, parseTuple, serializeTuple, type TupleItem } from '@ton/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SPECIAL_ACCOUNT_CODE } from '../../../../src/localnet/genesis/special-account-code.ts';
import { NO_SHARD_ACCOUNT } from '../../../../src/localnet/ledger/account-entry.ts';
import { methodId } from '../../../../src/ton/contracts/codes/method-id.ts';
import { BASE_CONFIG } from '../../../../src/tvm/base-config.ts';
import type { GetMethodRequest } from '../../../../src/tvm/get-method.ts';
import { FIRST_CALL } from '../../../../src/tvm/pool/first-call.ts';
import type { Trial, TvmCall } from '../../../../src/tvm/pool/tvm-calls.ts';
import { TvmPool, type TvmPoolOptions } from '../../../../src/tvm/pool/tvm-pool.ts';
import { TvmPoolError } from '../../../../src/tvm/pool/tvm-pool-error.ts';
import { type Job, TvmThread } from '../../../../src/tvm/pool/tvm-thread.ts';

const base64 = (cell: Cell) => cell.toBoc().toString('base64');
const counters: GetMethodRequest = {
  code: SPECIAL_ACCOUNT_CODE,
  data: base64(beginCell().storeUint(5, 64).storeUint(7, 64).endCell()),
  methodId: methodId('counters'),
  stack: base64(serializeTuple([])),
  config: BASE_CONFIG,
  address: `0:${'11'.repeat(32)}`,
  now: 1_750_000_000,
  balance: 1_000_000_000n,
  gasLimit: 1_000_000n,
  randomSeed: new Uint8Array(32),
  libraries: null,
  prevBlocks: null,
};
function open(options: TvmPoolOptions): TvmPool {
  const pool = new TvmPool(options);
  onTestFinished(() => pool.close());
  return pool;
}

describe('TVM pool', { timeout: 300_000 }, () => {
  it('runs get methods, more than it has threads', async () => {
    const pool = open({ threads: 2, timeoutMs: 60_000 });
    const results = await Promise.all(Array.from({ length: 7 }, () => pool.runGetMethod(counters)));
    for (const { exitCode, stack, gasUsed } of results) {
      expect(exitCode).toBe(0);
      expect(gasUsed).toBeGreaterThan(100n);
      expect(parseTuple(Cell.fromBase64(stack))).toEqual([
        { type: 'int', value: 5n },
        { type: 'int', value: 7n },
      ]);
    }
    expect(await pool.runGetMethod({ ...counters, methodId: methodId('nothing') })).toMatchObject({
      exitCode: 11,
    });
  });

  it('cuts off what takes too long, and continues', async () => {
    const pool = open({ threads: 1, timeoutMs: 5_000 });
    await pool.runGetMethod(counters);
    const long = { ...counters, code: loop(), methodId: 0, gasLimit: 2n ** 62n };
    await expect(pool.runGetMethod(long)).rejects.toMatchObject({ name: 'TvmPoolError', reason: 'timeout' });
    expect(await pool.runGetMethod(counters)).toMatchObject({ exitCode: 0 });
  });

  it('reports what the emulator cannot read', async () => {
    const pool = open({ threads: 1, timeoutMs: 60_000 });
    const broken = { ...counters, stack: 'AAAA' };
    await expect(pool.runGetMethod(broken)).rejects.toMatchObject({ reason: 'emulator' });
    expect(await pool.runGetMethod(counters)).toMatchObject({ exitCode: 0 });
    const trial = trialOf(counters.address);
    // The configuration lacks parameters that a transaction needs.
    await expect(pool.tryTransaction(trial)).rejects.toMatchObject({ reason: 'emulator' });
  });

  it('stops the time of callers until the first thread is ready, and not afterwards', async () => {
    const pool = open({ threads: 1, timeoutMs: 600_000 });
    const clocks: { isStopped: boolean }[] = [];
    const stopTime = () => {
      const clock = { isStopped: true };
      clocks.push(clock);
      return () => {
        clock.isStopped = false;
      };
    };
    const call = () => pool.runGetMethod(counters, { ...caller('a'), stopTime });
    // This call takes long enough to be seen.
    const long = { ...counters, code: loop(), methodId: 0 };
    const cold = [pool.runGetMethod(long, { ...caller('a'), stopTime }), call()];
    expect(clocks).toMatchObject([{ isStopped: true }, { isStopped: true }]);
    // The first call runs now, and the second one waits for it: both times continue.
    await expect.poll(() => pool.running, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
    expect(clocks).toMatchObject([{ isStopped: false }, { isStopped: false }]);
    await Promise.all(cold);
    await call();
    expect(clocks).toHaveLength(2);
  });

  it('refuses calls as busy if no thread becomes ready', async () => {
    const pool = open({ threads: 1, timeoutMs: 600_000, maxColdMs: 1 });
    await expect(pool.runGetMethod(counters)).rejects.toMatchObject({ reason: 'busy' });
    expect(pool.queued).toBe(0);
  });

  it('warms up its first thread with a call that the emulator takes', async () => {
    const pool = open({ threads: 1, timeoutMs: 600_000 });
    expect(await pool.runGetMethod(FIRST_CALL)).toMatchObject({ exitCode: 0, stack: FIRST_CALL.stack });
  });

  it('rejects what waits when it is closed', async () => {
    const pool = new TvmPool({ threads: 1, timeoutMs: 60_000 });
    const calls = [pool.runGetMethod(counters), pool.runGetMethod(counters)];
    const outcomes = Promise.allSettled(calls);
    await pool.close();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { reason: 'closed' } });
    await expect(pool.runGetMethod(counters)).rejects.toMatchObject({ reason: 'closed' });
  });

  it('accepts cells of any depth in arguments and data, or refuses them, and works afterwards', async () => {
    const pool = open({ threads: 1, timeoutMs: 120_000 });
    for (const depth of [300, 350, 440, 512, 1_000]) {
      expect(await pool.runGetMethod(sameBack([{ type: 'cell', cell: snake(depth) }]))).toMatchObject({
        exitCode: 0,
      });
      // SETCP0 DROP PUSHCTR c4; data beyond 512 is exit code 8, as in every node.
      const code = base64(beginCell().storeUint(0xff0030ed44, 40).endCell());
      const { values } = await pool.runGetMethod({ ...sameBack([]), code, data: base64(snake(depth)) });
      expect(values).toMatchObject([{ kind: depth <= 512 ? 'cell' : 'int' }]);
    }
    // With the two results above it deeper than a stack can be: an exception of the emulator.
    const deepest = { ...counters, stack: sameBack([{ type: 'cell', cell: snake(1_022) }]).stack };
    await expect(pool.runGetMethod(deepest)).rejects.toMatchObject({ reason: 'emulator' });
    expect(await pool.runGetMethod(counters)).toMatchObject({ exitCode: 0 });
  });

  it('gives a cell that fills the stack once, and refuses a result that is too large spelled out', async () => {
    const pool = open({ threads: 1, timeoutMs: 120_000 });
    const many = (cell: Cell) =>
      sameBack(Array.from({ length: 512 }, () => ({ type: 'cell', cell }) as const));
    const { values } = await pool.runGetMethod(many(wide(2)));
    expect(values).toHaveLength(512);
    expect(new Set(values.map((value) => 'boc' in value && value.boc)).size).toBe(1);
    await expect(pool.runGetMethod(many(wide(200)))).rejects.toMatchObject({ reason: 'result' });
    expect((await pool.runGetMethod(sameBack([{ type: 'cell', cell: wide(200) }]))).values).toHaveLength(1);
  });

  it('drops the calls of those that left, and cuts off the one that runs', async () => {
    const pool = open({ threads: 1, timeoutMs: 600_000 });
    await pool.runGetMethod(counters);
    const left = new AbortController();
    const abandoned = Array.from({ length: 100 }, () =>
      pool.runGetMethod(endless(), { client: 'a', signal: left.signal }),
    );
    const outcomes = Promise.allSettled(abandoned);
    const honest = pool.runGetMethod(counters, caller('a'));
    left.abort(new Error('left'));
    // None of the hundred would end in this test's time.
    expect(await honest).toMatchObject({ exitCode: 0 });
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { message: 'left' } });
    await expect(pool.runGetMethod(counters, { client: 'a', signal: left.signal })).rejects.toThrow('left');
  });

  it('has a thread ready in the place of one that was cut off', async () => {
    const pool = open({ threads: 1, timeoutMs: 1_000 });
    await pool.runGetMethod(counters);
    await expect(pool.runGetMethod(endless())).rejects.toMatchObject({ reason: 'timeout' });
    // One that runs, and one in reserve.
    const standsBy = () => expect.poll(() => pool.started, { timeout: 60_000 }).toBe(2);
    await standsBy();
    for (let call = 0; call < 3; call++) {
      expect(await pool.runGetMethod(counters)).toMatchObject({ exitCode: 0 });
      await expect(pool.runGetMethod(endless())).rejects.toMatchObject({ reason: 'timeout' });
      await standsBy();
    }
  });

  it('lets a call continue for a moment after its client left, and keeps its thread', async () => {
    const pool = open({ threads: 1, timeoutMs: 600_000 });
    await pool.runGetMethod(counters);
    const left = new AbortController();
    const abandoned = pool.runGetMethod(
      { ...counters, code: loop(), methodId: 0, gasLimit: 1_000n },
      { client: 'a', signal: left.signal },
    );
    left.abort(new Error('left'));
    await expect(abandoned).rejects.toThrow('left');
    expect(await pool.runGetMethod(counters)).toMatchObject({ exitCode: 0 });
    expect(pool.started).toBe(1);
  });

  it('refuses what finds no room, and lets clients take turns', async () => {
    const pool = open({ threads: 1, timeoutMs: 600_000, maxQueued: 4, maxQueuedOfClient: 3 });
    await pool.runGetMethod(counters);
    const left = new AbortController();
    const running = pool.runGetMethod(endless(), { client: 'a', signal: left.signal }).catch(() => 'left');
    const done: string[] = [];
    const ask = (client: string) =>
      pool.runGetMethod(counters, caller(client)).then(
        () => done.push(client),
        (error: { reason: string }) => done.push(`${client} ${error.reason}`),
      );
    const calls = ['a', 'a', 'a', 'a', 'b', 'b'].map(ask);
    await new Promise((resolve) => setImmediate(resolve));
    // The fourth of `a` is one too many for a client; for the second of `b` another of `a` has to go.
    expect(done).toEqual(['a busy', 'a busy']);
    left.abort(new Error('left'));
    await Promise.all(calls);
    // The abandoned call ran on for a moment: `a` has used time, so `b` is next. Later turns depend on how long each call takes.
    expect(done[2]).toBe('b');
    expect(done.slice(2).toSorted()).toEqual(['a', 'a', 'b', 'b']);
    expect(await running).toBe('left');
  });

  it('lets the cheap calls of one client go before the long ones of another', async () => {
    const pool = open({ threads: 1, timeoutMs: 600_000 });
    const long = { ...counters, code: loop(), methodId: 0 };
    const done: string[] = [];
    const ask = (client: string, request: GetMethodRequest) =>
      pool.runGetMethod(request, caller(client)).then(() => done.push(client));
    await ask('a', long);
    const calls = [1, 2, 3, 4].flatMap(() => [ask('a', long), ask('b', counters)]);
    await Promise.all(calls);
    expect(done.slice(0, 6)).toEqual(['a', 'a', 'b', 'b', 'b', 'b']);
  });

  it('lets the accounts of one client take turns, in trials of transactions too', async () => {
    const pool = open({ threads: 1, timeoutMs: 600_000 });
    const done: string[] = [];
    const ask = (address: string) => {
      const tried = () => done.push(address);
      return pool.tryTransaction(trialOf(address), caller('a')).then(tried, tried);
    };
    await Promise.all(['x', 'x', 'x', 'x', 'y'].map(ask));
    expect(done.indexOf('y')).toBeLessThan(2);
  });

  it('keeps a thread free of one client that asks one contract again and again', async () => {
    const pool = open({ threads: 2, timeoutMs: 600_000 });
    await untilBrief(pool, counters);
    const left = new AbortController();
    const loops = [1, 2, 3].map(() => pool.runGetMethod(endless(), { client: 'a', signal: left.signal }));
    const outcomes = Promise.allSettled(loops);
    const elsewhere = { ...counters, address: `0:${'22'.repeat(32)}` };
    expect(await pool.runGetMethod(elsewhere, caller('a'))).toMatchObject({ exitCode: 0 });
    expect(await pool.runGetMethod(counters, caller('b'))).toMatchObject({ exitCode: 0 });
    left.abort(new Error('left'));
    await outcomes;
  });

  it('keeps a thread free of one method, whichever clients ask it and however brief it was', async () => {
    const pool = open({ threads: 2, timeoutMs: 600_000 });
    const elsewhere = { ...counters, address: `0:${'22'.repeat(32)}` };
    await untilBrief(pool, elsewhere);
    await untilBrief(pool, { ...counters, address: endless().address, methodId: endless().methodId });
    const left = new AbortController();
    const loops = ['b', 'c', 'd'].map((client) =>
      pool.runGetMethod(endless(), { client, signal: left.signal }),
    );
    const outcomes = Promise.allSettled(loops);
    expect(await pool.runGetMethod(elsewhere, caller('e'))).toMatchObject({ exitCode: 0 });
    expect(pool.running).toBe(1);
    left.abort(new Error('left'));
    await outcomes;
    // Several contracts have several threads.
    const third = { ...counters, address: `0:${'33'.repeat(32)}` };
    const brief = [elsewhere, third].map((request) => pool.runGetMethod(request, caller('b')));
    await new Promise((resolve) => setImmediate(resolve));
    expect(pool.running).toBe(2);
    await Promise.all(brief);
  });

  it('leaves the only thread that is ready to brief calls', async () => {
    const pool = open({ threads: 2, timeoutMs: 1_000 });
    const elsewhere = { ...counters, address: `0:${'22'.repeat(32)}` };
    await untilBrief(pool, elsewhere);
    await expect(pool.runGetMethod(endless(), caller('a'))).rejects.toMatchObject({ reason: 'timeout' });
    // Its thread is lost, and the next one takes longer to start than this.
    const next = pool.runGetMethod(endless(), caller('b'));
    const ended = expect(next).rejects.toMatchObject({ reason: 'timeout' });
    expect(pool.running).toBe(0);
    expect(await pool.runGetMethod(elsewhere, caller('c'))).toMatchObject({ exitCode: 0 });
    await ended;
  });

  it('leaves it to them also for another method of a contract with long methods', async () => {
    const pool = open({ threads: 2, timeoutMs: 1_000 });
    const elsewhere = { ...counters, address: `0:${'22'.repeat(32)}` };
    await untilBrief(pool, elsewhere);
    await expect(pool.runGetMethod(endless(), caller('a'))).rejects.toMatchObject({ reason: 'timeout' });
    const next = pool.runGetMethod({ ...endless(), methodId: 1 }, caller('b'));
    const ended = expect(next).rejects.toMatchObject({ reason: 'timeout' });
    expect(pool.running).toBe(0);
    expect(await pool.runGetMethod(elsewhere, caller('c'))).toMatchObject({ exitCode: 0 });
    await ended;
  });

  it('has new threads run the last brief call before they take others', async () => {
    const [warm, plain] = [1, 2].map(() => open({ threads: 1, timeoutMs: 1_000 })) as [TvmPool, TvmPool];
    const brief = { ...counters };
    // The first call in a fresh thread may not be brief.
    for (const pool of [warm, plain]) await untilBrief(pool, pool === warm ? brief : counters);
    // The call that is kept never ends from now on, so that a thread that runs it is never ready.
    Object.assign(brief, endless());
    for (const pool of [warm, plain])
      await expect(pool.runGetMethod(endless())).rejects.toMatchObject({ reason: 'timeout' });
    const left = new AbortController();
    const waits = { client: 'a', signal: left.signal };
    const next = warm.runGetMethod(counters, waits).catch(({ message }: Error) => message);
    expect(await plain.runGetMethod(counters)).toMatchObject({ exitCode: 0 });
    // Its thread was lost earlier, and nothing else keeps the successor from taking the call.
    expect(warm.running).toBe(0);
    left.abort(new Error('left'));
    expect(await next).toBe('left');
  });

  it('takes a call that has run for a while for a long one: those that are known to be leave the other thread', async () => {
    const pool = open({ threads: 2, timeoutMs: 2_000 });
    const [known, unknown, brief] = ['22', '33', '44'].map((byte) => `0:${byte.repeat(32)}`);
    await untilBrief(pool, { ...counters, address: brief! });
    const timeout = { reason: 'timeout' };
    await expect(pool.runGetMethod({ ...endless(), address: known! }, caller('a'))).rejects.toMatchObject(
      timeout,
    );
    // Its successor, and the one in reserve.
    await expect.poll(() => pool.started, { timeout: 60_000 }).toBe(3);
    await untilBrief(pool, { ...counters, address: brief! });
    const first = pool.runGetMethod({ ...endless(), address: unknown! }, caller('b'));
    const ended = expect(first).rejects.toMatchObject(timeout);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const next = pool.runGetMethod({ ...endless(), address: known! }, caller('c'));
    const nextEnded = expect(next).rejects.toMatchObject(timeout);
    expect(pool.running).toBe(1);
    expect(await pool.runGetMethod({ ...counters, address: brief! }, caller('d'))).toMatchObject({
      exitCode: 0,
    });
    expect(pool.running).toBe(1);
    await Promise.all([ended, nextEnded]);
  });

  it('does not treat a method as brief if its clients leave early', async () => {
    const pool = open({ threads: 2, timeoutMs: 600_000 });
    for (const client of ['a', 'b', 'c']) {
      // The thread is ready, so that the next call begins at once.
      await pool.runGetMethod(counters, caller('warm'));
      const call = pool.runGetMethod(endless(), { client, signal: AbortSignal.timeout(10) });
      await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    }
    const left = new AbortController();
    const loops = ['d', 'e', 'f'].map((client) =>
      pool.runGetMethod(endless(), { client, signal: left.signal }),
    );
    const outcomes = Promise.allSettled(loops);
    await expect.poll(() => pool.running, { timeout: 60_000 }).toBe(1);
    // Another contract finds a thread, and is the only one to have it.
    const elsewhere = { ...counters, address: `0:${'22'.repeat(32)}` };
    expect(await pool.runGetMethod(elsewhere, caller('g'))).toMatchObject({ exitCode: 0 });
    expect(pool.running).toBe(1);
    left.abort(new Error('left'));
    await outcomes;
  });
});

describe('TVM thread', { timeout: 300_000 }, () => {
  /** A thread that has not ended yet, and the result once it is ready or lost. */
  function start(warmUp: readonly TvmCall[]) {
    const { promise: told, resolve } = Promise.withResolvers<void>();
    const thread = new TvmThread<Job>(60_000, warmUp, () => resolve());
    onTestFinished(() => thread.end(new TvmPoolError('closed', 'the test is over')));
    return { thread, told };
  }

  it('is ready once it has run the calls that it warms up with', async () => {
    const warm = start([{ kind: 'get', request: endless() }]);
    const brief = start([
      { kind: 'get', request: counters },
      { kind: 'trial', trial: trialOf(counters.address) },
    ]);
    await brief.told;
    expect(brief.thread.isReady).toBe(true);
    // It was started first, and nothing else keeps it from being ready.
    expect(warm.thread.isReady).toBe(false);
  });
});

/** Calls a method until its time is known: a new thread's first call counts as one among many. */
async function untilBrief(pool: TvmPool, request: GetMethodRequest): Promise<void> {
  for (let call = 0; call < 20; call++) await pool.runGetMethod(request, caller('warm'));
}

/** A transaction that the emulator cannot make: the configuration lacks parameters. */
function trialOf(address: string): Trial {
  const block = {
    config: BASE_CONFIG,
    now: 1,
    randomSeed: new Uint8Array(32),
    prevBlocks: null,
    libraries: null,
  };
  return { address, block, request: { shardAccount: NO_SHARD_ACCOUNT, input: { message: 'AAAA' }, lt: 1n } };
}

function caller(client: string) {
  return { client, signal: new AbortController().signal };
}

/** A method that leaves its arguments on the stack. */
function sameBack(stack: TupleItem[]): GetMethodRequest {
  // SETCP0 DROP
  const code = base64(beginCell().storeUint(0xff0030, 24).endCell());
  return { ...counters, code, methodId: 0, stack: base64(serializeTuple(stack)) };
}

function snake(depth: number): Cell {
  let cell = beginCell().storeUint(1, 8).endCell();
  for (let at = 0; at < depth; at++) cell = beginCell().storeUint(at, 16).storeRef(cell).endCell();
  return cell;
}

/** A cell over that many others that are full and all different. */
function wide(count: number): Cell {
  let cell = beginCell().endCell();
  for (let at = 0; at < count; at++)
    cell = beginCell().storeUint(at, 32).storeBuffer(Buffer.alloc(120, 0xab)).storeRef(cell).endCell();
  return cell;
}

/** Runs until it is cut off. */
function endless(): GetMethodRequest {
  return { ...counters, code: loop(), methodId: 0, gasLimit: 2n ** 62n };
}

/** `<{ }> PUSHCONT AGAIN`: runs until its gas is gone. */
function loop(): string {
  return base64(beginCell().storeUint(0x90, 8).storeUint(0xea, 8).endCell());
}
