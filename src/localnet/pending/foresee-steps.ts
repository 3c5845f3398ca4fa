import type { Emulator } from '../../tvm/emulator.ts';
import type { IsKnown } from '../collate/block-draft.ts';
import { type CollatedStep, collateStep } from '../collate/collate-step.ts';
import type { ExternalMessage } from '../collate/external-message.ts';
import { inOneGo } from '../collate/pieces.ts';
import type { ChainState } from '../ledger/chain-state.ts';

export interface ForeseenOrder {
  readonly seed: string;
  readonly targetShards: readonly bigint[];
  readonly externals: readonly ExternalMessage[];
  /** Unix time of the first step, and seconds from each to the next. */
  readonly utime: number;
  readonly secondsPerStep: number;
  /** As in `StepOrder`: the steps end before a message to another account. */
  readonly isKnown: IsKnown;
}

/** Foreseen transactions at most, and their gas: no block is made meanwhile, and a million of gas may take a second. */
const MAX_TRANSACTIONS = 256;
const MAX_GAS = 3_000_000;
/** Foreseen steps at most: enough for the splits of a new chain and a message through many shards. */
const MAX_STEPS = 24;

/**
 * The steps that would follow on a chain, made by the collator and not stored, as long as they are requested and the
 * limits allow. Changes of the configuration are omitted: their cells become part of the real state, which may not
 * share them with a discarded one (make-update.ts).
 */
export function* foreseeSteps(
  chain: ChainState,
  emulator: Emulator,
  order: ForeseenOrder,
): Generator<CollatedStep> {
  const { seed, targetShards, secondsPerStep, isKnown } = order;
  let { externals, utime } = order;
  let state = chain;
  let left = MAX_TRANSACTIONS;
  let gasLimit = MAX_GAS;
  for (let steps = 0; steps < MAX_STEPS && left > 0 && gasLimit > 0; steps++) {
    const made = { seed, utime, limit: left, gasLimit, targetShards, externals, isKnown, configChanges: [] };
    const step = inOneGo(collateStep(state, emulator, made));
    yield step;
    state = step.chain;
    if (isBlocked(state, isKnown)) return;
    externals = step.waiting;
    utime += secondsPerStep;
    gasLimit -= step.blocks.reduce((sum, { gas }) => sum + gas, 0);
    left -= step.blocks.reduce((sum, { transactions }) => sum + transactions, 0);
  }
}

/** True if a message waits for an account that is not loaded. */
function isBlocked({ masterchain, shards }: ChainState, isKnown: IsKnown): boolean {
  for (const { queue } of [masterchain, ...shards])
    for (const [, { message }] of queue.entries()) if (!isKnown(message.dest)) return true;
  return false;
}
