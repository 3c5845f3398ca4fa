import type { LogRecord } from '../../log/port.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';

/** Inclusive. */
type Span = [first: number, last: number];

/** A lane's progress carries a note that is none of this program. */
export class PublishNoteError extends ConflictError {
  constructor(found: string) {
    super(`the lane's progress: expected spans of published steps by epoch, found ${found.slice(0, 100)}`);
  }
}

/**
 * Published steps of a lane, by epoch: a step that appears twice in the log is not published again. They are part of
 * the lane's progress. A complete epoch is one span, so they stay few.
 */
export class PublishedSteps {
  readonly #epochs: Map<number, Span[]>;

  private constructor(epochs: Map<number, Span[]>) {
    this.#epochs = epochs;
  }

  /** `note`: as `toString` gave it, or empty. @throws PublishNoteError */
  static parse(note: string): PublishedSteps {
    if (note === '') return new PublishedSteps(new Map());
    try {
      return new PublishedSteps(new Map(JSON.parse(note) as [number, Span[]][]));
    } catch {
      throw new PublishNoteError(note);
    }
  }

  toString(): string {
    return JSON.stringify([...this.#epochs]);
  }

  has({ epoch, position }: Pick<LogRecord, 'epoch' | 'position'>): boolean {
    return this.#spans(epoch).some(([first, last]) => position >= first && position <= last);
  }

  /** To be called with the last record of a step that is not among them. */
  add({ epoch, position }: Pick<LogRecord, 'epoch' | 'position'>): void {
    const spans = this.#spans(epoch);
    const before = spans.find(([, last]) => last === position - 1);
    const after = spans.find(([first]) => first === position + 1);
    if (before) before[1] = after ? after[1] : position;
    else if (after) after[0] = position;
    else spans.push([position, position]);
    if (before && after) spans.splice(spans.indexOf(after), 1);
    this.#epochs.set(epoch, spans);
  }

  #spans(epoch: number): Span[] {
    return this.#epochs.get(epoch) ?? [];
  }
}
