import { toHex } from '../../ton/hash/hex.ts';
import type { MessageLink } from '../collate/block-draft.ts';

/**
 * Messages on their way, each with the trace that it belongs to. The transaction that takes one puts in its place those
 * that it sends to other accounts.
 */
export class MessageTrail<T> {
  private readonly traces: Map<string, T>;

  constructor(traces: Iterable<readonly [string, T]> = []) {
    this.traces = new Map(traces);
  }

  get size(): number {
    return this.traces.size;
  }

  add(hash: Uint8Array, trace: T): void {
    this.traces.set(toHex(hash), trace);
  }

  /** A message that will never be taken. */
  drop(hash: Uint8Array): void {
    this.traces.delete(toHex(hash));
  }

  /** Drops all messages of a trace. */
  forget(trace: T): void {
    for (const [hash, found] of this.traces) if (found === trace) this.traces.delete(hash);
  }

  /** Takes note of a transaction. @returns the trace that it belongs to; undefined for none */
  follow({ inMsg, transaction }: MessageLink): T | undefined {
    const key = inMsg && toHex(inMsg);
    const trace = key === null ? undefined : this.traces.get(key);
    if (key === null || trace === undefined) return undefined;
    this.traces.delete(key);
    for (const { kind, hash } of transaction.messages) if (kind === 'internal') this.add(hash, trace);
    return trace;
  }

  /** The same messages, to be followed apart. */
  copy(): MessageTrail<T> {
    return new MessageTrail(this.traces);
  }
}
