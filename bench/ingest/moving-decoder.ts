/**
 * The decoder of the end-to-end run, in the product's thread pool: the product's own decoder, whose rows are then moved
 * to their place in the synthetic chain. Reports the CPU time of both.
 */
import type { DecodeRecords } from '../../src/engine/decoding/chunk.ts';
import { createDecoder as createKernelDecoder } from '../../src/projections/records/kernel-decoder.ts';
import { BenchError } from '../common/bench-error.ts';
import type { ChainPlan, PlannedBlock } from '../synthetic/chain-plan.ts';
import { planChain } from '../synthetic/chain-plan.ts';
import { cachedMasks } from '../synthetic/masks.ts';
import { shiftRows } from '../synthetic/shift-columns.ts';
import type { MovingOptions } from './moving-options.ts';

export async function createDecoder(options: MovingOptions): Promise<DecodeRecords> {
  const decode = await createKernelDecoder(options.decoder);
  const { real, transactions, epochs, network } = options.plan;
  const plan = planChain(real, transactions, epochs, network);
  const masks = cachedMasks();
  const times = new Float64Array(options.times);
  return (records, spare) => {
    const start = cpuMs();
    const decoded = decode(records, spare);
    const middle = cpuMs();
    const blocks = records.map(({ key, position }) => plannedBlock(plan, key, position));
    shiftRows(decoded.parts, blocks, masks);
    add(times, 0, middle - start);
    add(times, 1, cpuMs() - middle);
    return decoded;
  };
}

function plannedBlock(plan: ChainPlan, key: string, position: number): PlannedBlock {
  const block = plan.step(position).find(({ real }) => key.startsWith(`(${real.header.workchain},`));
  if (!block) throw new BenchError(`step ${position} has no block ${key}`);
  return block;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Several threads may add at once; a sum that is lost now and then is a small one. */
function add(times: Float64Array, index: number, ms: number): void {
  times[index] = (times[index] as number) + ms;
}
