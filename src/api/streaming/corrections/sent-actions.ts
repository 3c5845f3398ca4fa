import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { toHex } from '../../../ton/hash/hex.ts';
import { actionText, type LoadedTrace } from '../trace-contents.ts';
import type { CorrectedTrace } from './corrected-traces.ts';
import { UNWRITTEN } from './correction-place.ts';

/** Traces whose sent actions are remembered. */
const MAX_TRACES = 50_000;
/** Unsettled traces that wait for their stored actions. */
const MAX_UNSETTLED = 10_000;
/** Several receivers were sent different actions. */
const DIFFERENT = '';

/** Remembers which actions of traces this process sent: a correction to the same actions is not sent. */
export class SentActions {
  readonly #digests = new LRUCache<string, string>({ max: MAX_TRACES });
  readonly #unsettled = new LRUCache<string, CorrectedTrace>({ max: MAX_UNSETTLED });

  note(trace: LoadedTrace): void {
    const { trace_id: id } = trace.change.row;
    const digest = toDigest(trace);
    const known = this.#digests.get(id);
    this.#digests.set(id, known === undefined || known === digest ? digest : DIFFERENT);
    if (!trace.isUnsettled) return;
    const traceId = toHex(Buffer.from(id, 'base64')).toUpperCase();
    const { seqno, row } = trace.change;
    this.#unsettled.set(traceId, { place: { ...UNWRITTEN, seqno, traceId }, trace8: row.trace8 });
  }

  /** Unsettled traces that ended in a step up to `last`. */
  findUnsettled(last: number, limit: number): readonly CorrectedTrace[] {
    return [...this.#unsettled.values()].filter(({ place }) => place.seqno <= last).slice(0, limit);
  }

  settle(traces: readonly CorrectedTrace[]): void {
    for (const { place } of traces) this.#unsettled.delete(place.traceId);
  }

  /** True if all receivers of the trace's actions were sent these. */
  has(trace: LoadedTrace): boolean {
    return this.#digests.get(trace.change.row.trace_id) === toDigest(trace);
  }
}

function toDigest(trace: LoadedTrace): string {
  const texts = trace.actions.map((action) => actionText(action, trace)).sort();
  return createHash('sha1').update(texts.join()).digest('base64');
}
