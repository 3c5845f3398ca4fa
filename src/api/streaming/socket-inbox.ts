import type { EventLoopQueue } from '../http/fairness/event-loop-queue.ts';
import type { Stream } from './stream.ts';

/** Frames of one connection that wait to be answered, and how they are answered. */
export interface InboxParts {
  readonly stream: Pick<Stream, 'isOpen' | 'sendFrame'>;
  /** Turns of the event loop, shared by all connections of the server. */
  readonly turns: EventLoopQueue;
  /** Stops reading the connection until the returned function is called. */
  readonly hold: () => () => void;
  /** Returns false if the stream has just ended because its key may not be used any more. */
  readonly isAllowed: () => boolean;
  /** Refuses a message before it is read. Returns the reply, or null for a message that may be read. */
  readonly refuse: (message: Buffer | null) => object | null | Promise<object | null>;
  /** Does what a message asks for. Returns the reply. */
  readonly answer: (message: Buffer | null) => object;
  /** Called if a refusal or an answer throws. */
  readonly onFailure: (error: unknown) => void;
}

/** Answers the messages of a connection in order, each in its own turn of the event loop. A binary message is null. */
export class SocketInbox {
  readonly #parts: InboxParts;
  readonly #waiting: (Buffer | null)[] = [];
  #isBusy = false;

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  add(message: Buffer | null): void {
    this.#waiting.push(message);
    if (!this.#isBusy) this.#answerAll().catch(this.#parts.onFailure);
  }

  async #answerAll(): Promise<void> {
    const { stream, hold } = this.#parts;
    this.#isBusy = true;
    const release = hold();
    while (this.#waiting.length > 0 && stream.isOpen) await this.#answerNext(this.#waiting.shift()!);
    this.#waiting.length = 0;
    this.#isBusy = false;
    release();
  }

  async #answerNext(message: Buffer | null): Promise<void> {
    const { stream, turns, isAllowed, refuse, answer } = this.#parts;
    const refusal = await refuse(message);
    await new Promise<void>((begin) => turns.take(begin));
    if (stream.isOpen && isAllowed()) stream.sendFrame(JSON.stringify(refusal ?? answer(message)));
  }
}
