import type { FastifyReply, FastifyRequest } from 'fastify';
import { StoreTimeoutError } from '../../platform/clickhouse/store-errors.ts';
import type { Caller } from '../caller.ts';
import type { CorsChoice } from '../cors-choice.ts';
import { AnswerTime } from './answer-time.ts';
import { ClientGoneError, DeadlineError } from './errors/caller-errors.ts';
import { HttpError } from './errors/http-error.ts';
import { getClientName } from './fairness/rate-limits.ts';
import { isForeign } from './foreign-requests.ts';

/** Runs `work` for the client of a request: until it leaves, and `timeoutMs` at most. Leaves no timer and no listener. */
export async function withCaller<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { timeoutMs, cors }: { readonly timeoutMs: number; readonly cors: CorsChoice },
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const leave = () => controller.abort(new ClientGoneError('the client left'));
  const time = new AnswerTime(timeoutMs, () =>
    controller.abort(new DeadlineError(`no answer in ${timeoutMs} ms`)),
  );
  reply.raw.once('close', leave);
  if (reply.raw.destroyed) leave();
  try {
    return await work({
      signal: controller.signal,
      get deadline() {
        return time.deadline;
      },
      stopTime: () => time.stop(),
      client: getClientName(request),
      readOnly: isForeign(request, cors),
    });
  } finally {
    time.end();
    reply.raw.off('close', leave);
  }
}

/**
 * Remaining time of the answer in whole milliseconds, at least one.
 * @throws the reason of an aborted signal, DeadlineError
 */
export function timeLeft({ signal, deadline }: Caller): number {
  signal.throwIfAborted();
  const left = Math.floor(deadline - performance.now());
  if (left < 1) throw new DeadlineError('the time of the answer is used up');
  return left;
}

/** True if an error ended only a wait: the client left, or the time was up. */
export function isWaitOver(error: unknown): boolean {
  return (
    error instanceof ClientGoneError || error instanceof DeadlineError || error instanceof StoreTimeoutError
  );
}

/** The outcome of `work`. If the caller's wait ends first, `work` continues and this rejects with the reason. */
export async function whileWaiting<T>({ signal }: Caller, work: Promise<T>): Promise<T> {
  // An abandoned failure has no caller, and would end the process.
  work.catch(() => {});
  signal.throwIfAborted();
  const over = Promise.withResolvers<never>();
  const end = () => over.reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** @throws HttpError 403 for a page that may only read */
export function requireSender({ readOnly }: Caller): void {
  if (readOnly) throw new HttpError(403, 'pages of this origin may only read: see --cors');
}
