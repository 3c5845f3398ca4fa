import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Engine, type EngineStep } from '../../../src/localnet/engine/engine.ts';
import { EngineClient } from '../../../src/localnet/engine/engine-client.ts';
import type { EngineOptions } from '../../../src/localnet/engine/engine-options.ts';
import { validateBlock } from '../../helpers/validate/validate-block.ts';
import { engineOptions } from './engine-test-options.ts';

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tonhouse-localnet-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An engine in this thread, with a clock that only blocks move. */
export async function openEngine(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await Engine.open(engineOptions(options.directory ?? (await temporaryFolder()), options));
  onTestFinished(() => engine.close());
  return engine;
}

/** An engine in a thread of its own, with such a clock. */
export async function startEngine(): Promise<EngineClient> {
  const client = await EngineClient.start(engineOptions(await temporaryFolder()));
  onTestFinished(() => client.close());
  return client;
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
