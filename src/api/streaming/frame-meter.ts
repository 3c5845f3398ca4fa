/** Bytes of the longest frame header (RFC 6455, 5.2): 2, an extended length of 8, a mask of 4. */
const MAX_HEADER_BYTES = 14;
const CONTINUATION = 0x0;
const FIRST_CONTROL = 0x8;

/** Bounds of what a client sends on a WebSocket. */
export interface FrameBounds {
  /** Bytes of a message, all its fragments together. */
  readonly messageBytes: number;
  /** Fragments of a message. */
  readonly fragments: number;
  /** Messages in a second. */
  readonly messagesPerSecond: number;
  /** Frames of any kind in a second: messages, fragments, pings, pongs. */
  readonly framesPerSecond: number;
}

/** A bound that a client broke. */
export interface FrameFault {
  readonly reason: string;
  readonly kind: 'refused' | 'too long';
}

/**
 * Reads the headers of the frames of a client and skips their data. It knows a message is too long from its first header,
 * and sees empty fragments and control frames, which `ws` does not report.
 */
export class FrameMeter {
  readonly #bounds: FrameBounds;
  readonly #messages: CountPerSecond;
  readonly #frames: CountPerSecond;
  readonly #header = new Uint8Array(MAX_HEADER_BYTES);
  #headerBytes = 0;
  /** Bytes of the frame's data that have not arrived. */
  #dataLeft = 0;
  #messageBytes = 0;
  #fragments = 0;
  /** True if the last fragment was not the final one. */
  #isFragmented = false;
  #finished = 0;

  constructor(bounds: FrameBounds) {
    this.#bounds = bounds;
    this.#messages = new CountPerSecond(bounds.messagesPerSecond);
    this.#frames = new CountPerSecond(bounds.framesPerSecond);
  }

  /** True if a message or a frame has begun and is not complete. */
  get isUnfinished(): boolean {
    return this.#isFragmented || this.#headerBytes > 0;
  }

  /** Number of messages and of frames between messages that are complete. */
  get finished(): number {
    return this.#finished;
  }

  /** Reads the next bytes of the connection. Returns the first bound that they break, or null. */
  read(chunk: Uint8Array): FrameFault | null {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(this.#dataLeft, chunk.length - at);
      this.#dataLeft -= skipped;
      at += skipped;
      if (skipped === 0) this.#header[this.#headerBytes++] = chunk[at++]!;
      if (this.#dataLeft > 0 || this.#headerBytes < this.#headerLength) continue;
      if (skipped === 0) {
        const fault = this.#begin();
        if (fault) return fault;
      }
      if (this.#dataLeft === 0) this.#finish();
    }
    return null;
  }

  get #headerLength(): number {
    if (this.#headerBytes < 2) return 2;
    const second = this.#header[1]!;
    const short = second & 0x7f;
    const extended = short === 127 ? 8 : short === 126 ? 2 : 0;
    return 2 + extended + (second & 0x80 ? 4 : 0);
  }

  get #isControl(): boolean {
    return (this.#header[0]! & 0xf) >= FIRST_CONTROL;
  }

  /** The header of a frame is complete. */
  #begin(): FrameFault | null {
    const { messageBytes, fragments, framesPerSecond } = this.#bounds;
    const length = this.#dataLength();
    this.#dataLeft = length;
    if (!this.#frames.take()) return tooMany(`frames: more than ${framesPerSecond} in a second`);
    if (this.#isControl) return null;
    if ((this.#header[0]! & 0xf) !== CONTINUATION) {
      if (!this.#messages.take()) return tooMany('requests');
      this.#messageBytes = 0;
      this.#fragments = 0;
    }
    this.#messageBytes += length;
    this.#fragments++;
    if (this.#messageBytes > messageBytes)
      return {
        reason: `message too long: ${this.#messageBytes} bytes > max ${messageBytes}`,
        kind: 'too long',
      };
    return this.#fragments > fragments ? tooMany(`fragments of a message: more than ${fragments}`) : null;
  }

  #finish(): void {
    this.#headerBytes = 0;
    if (!this.#isControl) this.#isFragmented = (this.#header[0]! & 0x80) === 0;
    if (!this.#isFragmented) this.#finished++;
  }

  /** Beyond 2^53 the number is not exact, but far above any bound. */
  #dataLength(): number {
    const view = new DataView(this.#header.buffer);
    const short = view.getUint8(1) & 0x7f;
    if (short === 126) return view.getUint16(2);
    return short === 127 ? Number(view.getBigUint64(2)) : short;
  }
}

function tooMany(what: string): FrameFault {
  return { reason: `too many ${what}`, kind: 'refused' };
}

/** Counts events by the second. */
class CountPerSecond {
  readonly #max: number;
  #second = 0;
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one more. True if no more than the maximum came in this second. */
  take(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) this.#count = 0;
    this.#second = second;
    return ++this.#count <= this.#max;
  }
}
