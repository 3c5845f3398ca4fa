import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { establishLog } from '../../../src/capture/plan-start.ts';
import type { SourceState, Step } from '../../../src/capture/source.ts';
import { readStateFile } from '../../../src/capture/states.ts';
import { openSource } from '../../../src/cli/compose/open-source.ts';
import type { Bus } from '../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../src/log/sqlite/embedded-bus.ts';
import { AvroCodec } from '../../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../../src/platform/avro/schema-files.ts';
import { makeLocalBlocks } from '../../helpers/local-blocks.ts';
import { describeWithData } from '../../helpers/shared-data.ts';

const codec = new AvroCodec(loadSchemas(resolve(import.meta.dirname, '../../../schemas')));

let folder: string;
let bus: Bus;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonhouse-start-'));
  bus = await openEmbeddedBus({ directory: join(folder, 'log') });
});
afterEach(async () => {
  await bus.close();
  await rm(folder, { recursive: true });
});

async function establish(spec: string, states: readonly SourceState[], network?: string) {
  const source = await openSource(spec);
  try {
    const signal = new AbortController().signal;
    const identity = { epochSize: 100, lanes: 1 };
    return await establishLog(
      { source, bus, codec, network, identity, states, signal },
      await source.describe(),
    );
  } finally {
    await source.close();
  }
}

async function filesOf(steps: readonly Step[]): Promise<string> {
  for (const { blocks } of steps)
    for (const { id, boc } of blocks) await writeFile(join(folder, `${id.workchain}_${id.seqno}.boc`), boc);
  return `files:${folder}`;
}

describe('a start from states', () => {
  it('binds the log where the source goes on behind them', async () => {
    const [zero, ...chain] = await makeLocalBlocks();
    await establish(await filesOf(chain), zero!.states);
    expect(await bus.identity()).toMatchObject({ facts: { start_lt: '0' } });
  });

  it('of another chain is refused, and the log stays free', async () => {
    const [, ...chain] = await makeLocalBlocks();
    const [other] = await makeLocalBlocks({ seed: 'other' });
    await expect(establish(await filesOf(chain), other!.states)).rejects.toThrow(/zerostate/);
    await expect(establish(await filesOf(chain), other!.states.slice(1))).rejects.toThrow(
      /masterchain state/,
    );
    expect(await bus.identity()).toBeNull();
  });

  it('that the source does not reach back to is refused, and the log stays free', async () => {
    const [zero, ...chain] = await makeLocalBlocks();
    const late = await filesOf(chain.slice(2));
    await expect(establish(late, zero!.states)).rejects.toMatchObject({ name: 'ChainGapError', missing: 1 });
    expect(await bus.identity()).toBeNull();
  });
});

describeWithData('a start from a state of mainnet', (data) => {
  it('ahead of its source is refused by name, and the log stays free', async () => {
    const file = join(data, 'accounts/states/mainnet_-1_8000000000000000_2659.boc');
    const state = await readStateFile(file);
    const packs = `archive:${join(data, 'blocks/packs')}`;
    const failure = establish(packs, [state], 'mainnet');
    await expect(failure).rejects.toMatchObject({ name: 'StartStatesError' });
    await expect(failure).rejects.toThrow(/block 2659 .*2659\.boc.* 1 to 99/);
    expect(await bus.identity()).toBeNull();
  });
});
