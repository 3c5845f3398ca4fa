import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Engine, type EngineStep } from '../../../src/localnet/engine/engine.ts';
import type { EngineOptions } from '../../../src/localnet/engine/engine-options.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { validateBlock } from '../../helpers/validate/validate-block.ts';

export const GENESIS_UTIME = 1_750_000_000;

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tonhouse-localnet-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An engine in this thread, with a clock that only blocks move. */
export async function openEngine(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await Engine.open({
    directory: options.directory ?? (await temporaryFolder()),
    seed: 'test',
    shards: 1,
    globalId: LOCALNET_GLOBAL_ID,
    genesisUtime: GENESIS_UTIME,
    limit: 2_000,
    secondsPerBlock: 5,
    traffic: 0,
    ...options,
  });
  onTestFinished(() => engine.close());
  return engine;
}

/** Makes steps, each block of which must be valid. */
export async function makeSteps(engine: Engine, count: number): Promise<EngineStep[]> {
  const steps: EngineStep[] = [];
  for (let at = 0; at < count; at++) {
    const step = await engine.step();
    for (const { id, boc } of step.blocks)
      expectValid(`(${id.workchain},${id.shard.toString(16)},${id.seqno})`, boc);
    steps.push(step);
  }
  return steps;
}

function expectValid(name: string, boc: Uint8Array): void {
  const { violations } = validateBlock(boc);
  if (violations.length > 0) throw new Error(`${name}: ${JSON.stringify(violations.slice(0, 5), null, 1)}`);
}

/** Root hash of the newest masterchain block, in hex. */
export function tipHash(step: EngineStep): string {
  return Buffer.from(step.blocks.at(-1)!.id.rootHash).toString('hex');
}
