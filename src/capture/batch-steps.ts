import type { Step } from './source.ts';

export interface BatchLimits {
  /** A batch is full when it has this many bytes; the step that reaches it still belongs to it. */
  readonly bytes: number;
  /** Longest wait of the first step of a batch for more, milliseconds. 0: only steps that are ready join it. */
  readonly ms: number;
}

type Outcome =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'late' }
  | { readonly kind: 'stop' };

function stepBytes({ states, blocks, bad = [] }: Step): number {
  const total = [...states, ...blocks].reduce((sum, { boc }) => sum + boc.length, 0);
  return bad.reduce((sum, { bytes }) => sum + bytes.length, total);
}

/**
 * Gathers steps so that one append carries several. The next step is read while the batch before it is being used. A
 * failure of the source comes after the steps before it were handed out; on abort what was not handed out is dropped.
 */
export async function* batchSteps(
  steps: AsyncIterator<Step>,
  limits: BatchLimits,
  signal: AbortSignal,
): AsyncGenerator<readonly Step[]> {
  const waiter = new Waiter(signal);
  let batch: Step[] = [];
  let bytes = 0;
  let due = 0;
  try {
    let next = settle(steps.next());
    while (true) {
      const outcome = await waiter.wait(next, batch.length > 0 ? due - performance.now() : null);
      if (outcome.kind === 'stop') return;
      if (outcome.kind === 'step') {
        if (batch.length === 0) due = performance.now() + limits.ms;
        batch.push(outcome.step);
        bytes += stepBytes(outcome.step);
        next = settle(steps.next());
        const isOpen = limits.ms === 0 || performance.now() < due;
        if (bytes < limits.bytes && isOpen) continue;
      }
      if (batch.length > 0) yield batch;
      batch = [];
      bytes = 0;
      if (outcome.kind === 'failed') throw outcome.error;
      if (outcome.kind === 'end') return;
    }
  } finally {
    waiter.release();
    await steps.return?.();
  }
}

/** A promise that never rejects: a failure may come before anything awaits it. */
function settle(result: Promise<IteratorResult<Step>>): Promise<Outcome> {
  return result.then(
    ({ done, value }) => (done ? { kind: 'end' } : { kind: 'step', step: value }),
    (error: unknown) => ({ kind: 'failed', error }),
  );
}

/**
 * Waits for the next step, a time or the abort, whichever is first. `Promise.race` with a promise of the abort would
 * keep a reaction for every step of the run.
 */
class Waiter {
  private readonly signal: AbortSignal;
  private wake: ((outcome: Outcome) => void) | null = null;
  private readonly onAbort = () => this.wake?.({ kind: 'stop' });

  constructor(signal: AbortSignal) {
    this.signal = signal;
    signal.addEventListener('abort', this.onAbort);
  }

  /** `ms`: null waits without a limit; 0 or less takes only a step that is ready. */
  wait(next: Promise<Outcome>, ms: number | null): Promise<Outcome> {
    if (this.signal.aborted) return Promise.resolve({ kind: 'stop' });
    return new Promise((resolve) => {
      const late = () => resolve({ kind: 'late' });
      const timer = ms === null || ms <= 0 ? undefined : setTimeout(late, ms);
      // Reactions of promises come before it: a step that is ready is first.
      const turn = ms !== null && ms <= 0 ? setImmediate(late) : undefined;
      const wake = (outcome: Outcome) => {
        clearTimeout(timer);
        clearImmediate(turn);
        resolve(outcome);
      };
      this.wake = wake;
      void next.then(wake);
    });
  }

  release(): void {
    this.signal.removeEventListener('abort', this.onAbort);
  }
}
