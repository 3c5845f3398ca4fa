/** Place of a corrected trace in the order in which corrections were written. */
export interface CorrectionPlace {
  /** Moment of the correction, Unix ms. */
  readonly at: string;
  /** The step that completed the trace. */
  readonly seqno: number;
  /** Hex, upper case; empty: before all traces of the moment and step. */
  readonly traceId: string;
}

/** Moment of a trace that was stored with other actions than it was sent with: nothing corrected it. */
export const UNWRITTEN = { at: '0' } as const;

const TEXT = /^(\d{1,16})-(\d{1,10})-([0-9A-F]{64})?$/;

/** The place before every correction of a moment, Unix ms. */
export function toPlace(at: number): CorrectionPlace {
  return { at: `${Math.max(0, Math.trunc(at))}`, seqno: 0, traceId: '' };
}

/** `AT-SEQNO-TRACE`: it names a correction on every server. */
export function correctionText({ at, seqno, traceId }: CorrectionPlace): string {
  return `${at}-${seqno}-${traceId}`;
}

/** The place of a text; null for any other text. */
export function parseCorrection(text: string): CorrectionPlace | null {
  const [, at, seqno, traceId = ''] = TEXT.exec(text) ?? [];
  return at === undefined ? null : { at, seqno: Number(seqno), traceId };
}
