import type { KernelDecoderOptions } from '../../src/projections/records/kernel-decoder.ts';
import type { planChain } from '../synthetic/chain-plan.ts';

/** Argument of `planChain` in a form that travels between threads. */
export interface PlanOptions {
  readonly real: Parameters<typeof planChain>[0];
  readonly transactions: number;
  readonly epochs: number;
  readonly network: string;
}

export interface MovingOptions {
  readonly decoder: KernelDecoderOptions;
  readonly plan: PlanOptions;
  /** Two numbers: CPU milliseconds of decoding, and of moving rows. */
  readonly times: SharedArrayBuffer;
}
