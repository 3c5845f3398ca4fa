import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FencedError } from '../../../src/log/errors.ts';
import type { Bus } from '../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../src/log/sqlite/embedded-bus.ts';

let directory: string;
let bus: Bus;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-lease-'));
  bus = await openEmbeddedBus({ directory });
  await bus.establish({ network: 'test', id: 'a:b', epochSize: 10, lanes: 1, facts: {} });
});

afterEach(async () => {
  await bus.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('a lease that lapsed and was not taken over', () => {
  it('is renewed with what was committed under it, so that work continues there', async () => {
    const writer = await bus.writer('t', 'w', 1_000);
    const record = (key: string) => ({ key, headers: {}, value: new Uint8Array(1) });
    await writer.append(
      [1, 2].map((position) => ({ position, epoch: 0, lane: 0, records: [record(`${position}`)] })),
    );
    const consumer = await bus.consumer({ topic: 't', group: 'g', owner: 'me', sessionMs: 500 });
    const batch = { lane: 0, epoch: 0, attempt: 1, expected: {} };
    const first = { ...batch, from: 0, next: 1, firstPosition: 1, lastPosition: 1 };
    const second = { ...batch, from: 1, next: 2, firstPosition: 2, lastPosition: 2 };

    const [lease] = await consumer.claim();
    if (!lease) throw new Error('no lease');
    expect(lease.committed).toBe(0);
    await consumer.journal(lease, first);
    await consumer.confirm(lease, first);
    await sleep(600);
    await expect(consumer.journal(lease, second)).rejects.toThrow(FencedError);

    const [renewed] = await consumer.claim();
    if (!renewed) throw new Error('no lease');
    expect(renewed).toMatchObject({ generation: lease.generation, committed: 1 });
    await consumer.journal(renewed, second);
    await consumer.confirm(renewed, second);
    await consumer.release();
    await writer.release();
  });
});
