/**
 * Position in the stream. The events of a masterchain step are numbered in an order that follows only from the chain,
 * independent of subscriptions: the events after a position are the same for all clients, at any time.
 */
export interface Position {
  readonly seqno: number;
  /** Number of an event in its step; `Infinity`: after all of them. */
  readonly ordinal: number;
}

const TEXT = /^(\d{1,10})(?:-(\d{1,9}))?$/;

/** The position after all events of a step. */
export function getStepEnd(seqno: number): Position {
  return { seqno, ordinal: Number.POSITIVE_INFINITY };
}

/** The id of an event: `SEQNO-ORDINAL`, and `SEQNO` after a whole step. */
export function positionText({ seqno, ordinal }: Position): string {
  return ordinal === Number.POSITIVE_INFINITY ? `${seqno}` : `${seqno}-${ordinal}`;
}

/** The place that an id names; null for any other text. */
export function readPosition(text: string): Position | null {
  const [, seqno, ordinal] = TEXT.exec(text) ?? [];
  if (seqno === undefined) return null;
  return ordinal === undefined
    ? getStepEnd(Number(seqno))
    : { seqno: Number(seqno), ordinal: Number(ordinal) };
}

/** True if the first position is after the second. */
export function isBehind(a: Position, b: Position): boolean {
  return a.seqno > b.seqno || (a.seqno === b.seqno && a.ordinal > b.ordinal);
}

/** The first step with events after a position. */
export function nextStep({ seqno, ordinal }: Position): number {
  return ordinal === Number.POSITIVE_INFINITY ? seqno + 1 : seqno;
}
