import type { Log } from '../platform/observability/log.ts';
import { retry } from '../platform/retry/retry.ts';
import { toHex } from '../ton/hash/hex.ts';
import type { EngineStep } from './engine/engine.ts';
import type { EngineClient } from './engine/engine-client.ts';

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;

/**
 * Makes the next step, with retries until it succeeds: a failed step changes neither the chain nor its files. Rejects
 * when the signal aborts or the engine's thread is gone.
 */
export async function nextStep(
  client: EngineClient,
  log: Log | null,
  signal: AbortSignal,
): Promise<EngineStep> {
  let attempt = 0;
  const step = await retry(() => client.call('step'), {
    signal,
    firstPauseMs: FIRST_WAIT_MS,
    longestPauseMs: MAX_WAIT_MS,
    isRetriable(error) {
      log?.error({ error, attempt: ++attempt }, 'the local chain stalls: its next step fails');
      return !client.isGone;
    },
  });
  for (const { kind, account, message, reason } of step.unexecuted) {
    const facts = {
      mc_seqno: step.mcSeqno,
      kind,
      account: `${account.workchain}:${toHex(account.address)}`,
      message: message && toHex(message),
      reason,
    };
    const outcome = kind === 'external' ? 'refused' : 'taken without a compute phase';
    log?.warn(facts, `the TVM failed on a message: ${outcome}`);
  }
  if (step.snapshotError !== null)
    log?.warn({ mc_seqno: step.mcSeqno, error: step.snapshotError }, 'no snapshot of the local chain');
  return step;
}
