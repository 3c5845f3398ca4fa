import pRetry from 'p-retry';
import type { Log } from '../platform/observability/log.ts';
import { toHex } from '../ton/hash/hex.ts';
import type { EngineStep } from './engine/engine.ts';
import type { EngineClient } from './engine/engine-client.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Makes the next step, retried until it succeeds: a step that fails leaves the chain and its files as they were. Rejects
 * when the signal aborts or the engine's thread is gone.
 */
export async function nextStep(
  client: EngineClient,
  log: Log | null,
  signal: AbortSignal,
): Promise<EngineStep> {
  const step = await pRetry(() => client.call('step'), {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: FIRST_WAIT_MS,
    maxTimeout: LONGEST_WAIT_MS,
    signal,
    shouldRetry: () => !client.isGone,
    onFailedAttempt: ({ error, attemptNumber }) =>
      log?.error({ error, attempt: attemptNumber }, 'the local chain stalls: its next step fails'),
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
