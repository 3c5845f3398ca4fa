import { beginCell, Cell, parseTuple, serializeTuple } from '@ton/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BASE_CONFIG } from '../../../../../src/stages/capture/localnet/genesis/base-config.ts';
import { SPECIAL_ACCOUNT_CODE } from '../../../../../src/stages/capture/localnet/genesis/special-account-code.ts';
import { NO_SHARD_ACCOUNT } from '../../../../../src/stages/capture/localnet/ledger/account-entry.ts';
import { TvmPool } from '../../../../../src/stages/capture/localnet/tvm/tvm-pool.ts';
import { type GetMethodRequest, methodId } from '../../../../../src/ton/tvm/get-method.ts';

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
function open(options: { threads: number; timeoutMs: number }): TvmPool {
  const pool = new TvmPool(options);
  onTestFinished(() => pool.close());
  return pool;
}

describe('TVM pool', () => {
  it('runs get methods, more than it has threads', async () => {
    const pool = open({ threads: 2, timeoutMs: 5_000 });
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

  it('cuts off what takes too long, and goes on', async () => {
    const pool = open({ threads: 1, timeoutMs: 1_500 });
    await pool.runGetMethod(counters);
    const long = { ...counters, code: loop(), methodId: 0, gasLimit: 2n ** 62n };
    await expect(pool.runGetMethod(long)).rejects.toMatchObject({ name: 'TvmPoolError', reason: 'timeout' });
    expect(await pool.runGetMethod(counters)).toMatchObject({ exitCode: 0 });
  });

  it('says what the emulator cannot read', async () => {
    const pool = open({ threads: 1, timeoutMs: 5_000 });
    const broken = { ...counters, stack: 'AAAA' };
    await expect(pool.runGetMethod(broken)).rejects.toMatchObject({ reason: 'emulator' });
    expect(await pool.runGetMethod(counters)).toMatchObject({ exitCode: 0 });
    const trial = {
      block: {
        config: BASE_CONFIG,
        now: 1,
        randomSeed: new Uint8Array(32),
        prevBlocks: null,
        libraries: null,
      },
      request: { shardAccount: NO_SHARD_ACCOUNT, input: { message: 'AAAA' }, lt: 1n },
    };
    // The configuration lacks parameters that a transaction needs.
    await expect(pool.tryTransaction(trial)).rejects.toMatchObject({ reason: 'emulator' });
  });

  it('rejects what waits when it is closed', async () => {
    const pool = new TvmPool({ threads: 1, timeoutMs: 5_000 });
    const calls = [pool.runGetMethod(counters), pool.runGetMethod(counters)];
    const outcomes = Promise.allSettled(calls);
    await pool.close();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { reason: 'closed' } });
    await expect(pool.runGetMethod(counters)).rejects.toMatchObject({ reason: 'closed' });
  });
});

/** `<{ }> PUSHCONT AGAIN`: runs until its gas is gone. */
function loop(): string {
  return base64(beginCell().storeUint(0x90, 8).storeUint(0xea, 8).endCell());
}
