import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { type FrameBounds, FrameMeter } from './frame-meter.ts';
import type { Stream } from './stream.ts';

/** Bounds of one WebSocket. */
export interface IntakeBounds extends FrameBounds {
  /** Milliseconds from the first byte of a message to its last. */
  readonly unfinishedMs: number;
}

/** A connection, and the budget of bytes of its client. */
export interface IntakeParts {
  readonly socket: WebSocket;
  /** Connection that the frames come on. */
  readonly connection: Socket;
  readonly stream: Pick<Stream, 'isOpen' | 'end'>;
  readonly bounds: IntakeBounds;
  /** Takes bytes of the client's budget. Returns the milliseconds until it may send more. */
  readonly takeBytes: (bytes: number) => number;
}

/** Bytes that are read after the stream's end: a close frame, and what was under way. */
const MAX_BYTES_AFTER_END = 4_096;

/**
 * Keeps the bounds of what a client sends on a WebSocket, before `ws` reads it. A broken bound ends the stream. A client
 * beyond its budget of bytes is not read for a while.
 */
export class SocketIntake {
  readonly #parts: IntakeParts;
  readonly #meter: FrameMeter;
  #holds = 0;
  #bytesAfterEnd = 0;
  #timer: NodeJS.Timeout | undefined;
  #timedMessage = -1;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
    this.#meter = new FrameMeter(parts.bounds);
    // Before the listener of `ws`.
    parts.connection.prependListener('data', this.#take);
    parts.socket.once('close', () => clearTimeout(this.#timer));
  }

  /** Stops reading until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    this.#parts.socket.pause();
    return () => {
      if (--this.#holds > 0) return;
      this.#parts.socket.resume();
      // The client could not send meanwhile.
      this.#timedMessage = -1;
      this.#limitTime();
    };
  }

  readonly #take = (chunk: Buffer): void => {
    const { socket, stream, takeBytes } = this.#parts;
    if (!stream.isOpen) {
      this.#bytesAfterEnd += chunk.length;
      if (this.#bytesAfterEnd > MAX_BYTES_AFTER_END) socket.pause();
      return;
    }
    const fault = this.#meter.read(chunk);
    if (fault) {
      stream.end(fault.reason, fault.kind);
      return;
    }
    const waitMs = takeBytes(chunk.length);
    if (waitMs > 0) setTimeout(this.hold(), waitMs).unref();
    this.#limitTime();
  };

  /** Gives the unfinished message its time, if it has none yet. */
  #limitTime(): void {
    const { stream, bounds } = this.#parts;
    const { isUnfinished, finished } = this.#meter;
    if (isUnfinished && finished === this.#timedMessage) return;
    clearTimeout(this.#timer);
    this.#timedMessage = isUnfinished ? finished : -1;
    if (!isUnfinished || !stream.isOpen) return;
    const reason = `unfinished message: not complete after ${bounds.unfinishedMs / 1_000} s`;
    this.#timer = setTimeout(() => stream.end(reason, 'refused'), bounds.unfinishedMs).unref();
  }
}
