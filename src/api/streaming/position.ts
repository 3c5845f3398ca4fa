/**
 * Place in the stream. The events of a masterchain step are numbered in an order that follows from the chain alone, whatever
 * a client subscribes to: what lies behind a place is the same for all clients, at any time.
 */
export interface Position {
  readonly seqno: number;
  /** Number of an event in its step; `Infinity`: behind all of them. */
  readonly ordinal: number;
}

const TEXT = /^(\d{1,10})(?:-(\d{1,9}))?$/;

/** The place behind all events of a step. */
export function endOf(seqno: number): Position {
  return { seqno, ordinal: Number.POSITIVE_INFINITY };
}

/** The id of an event: `SEQNO-ORDINAL`, and `SEQNO` behind a whole step. */
export function positionText({ seqno, ordinal }: Position): string {
  return ordinal === Number.POSITIVE_INFINITY ? `${seqno}` : `${seqno}-${ordinal}`;
}

/** The place that an id names; null for any other text. */
export function readPosition(text: string): Position | null {
  const [, seqno, ordinal] = TEXT.exec(text) ?? [];
  if (seqno === undefined) return null;
  return ordinal === undefined ? endOf(Number(seqno)) : { seqno: Number(seqno), ordinal: Number(ordinal) };
}

/** Whether the first place lies behind the second. */
export function isBehind(a: Position, b: Position): boolean {
  return a.seqno > b.seqno || (a.seqno === b.seqno && a.ordinal > b.ordinal);
}

/** The first step that has events behind a place. */
export function nextStep({ seqno, ordinal }: Position): number {
  return ordinal === Number.POSITIVE_INFINITY ? seqno + 1 : seqno;
}
