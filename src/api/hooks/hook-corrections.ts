import type { CorrectionReceiver } from '../streaming/corrections/correction-feed.ts';
import {
  type CorrectionPlace,
  correctionText,
  parseCorrection,
  UNWRITTEN,
} from '../streaming/corrections/correction-place.ts';
import type { Subscriber } from '../streaming/feed.ts';
import { nextStep } from '../streaming/position.ts';
import type { HookRecords } from './hook-records.ts';
import type { HookSender } from './hook-sender.ts';

/** How far the corrections of a webhook were delivered. */
export interface HookCorrectionsState {
  /** The first step whose traces it was sent. */
  readonly since: number;
  /** Null: it has not begun. */
  readonly place: CorrectionPlace | null;
}

/** Name of the state in the table of positions. */
export const toCorrectionsKey = (hook: string): string => `${hook} corrections`;

/** `SINCE:PLACE`. */
export function correctionsText(since: number, place: CorrectionPlace): string {
  return `${since}:${correctionText(place)}`;
}

/** The state that was written; else that of a webhook that begins in a step. */
export function parseCorrections(text: string | undefined, first: number): HookCorrectionsState {
  const [since = '', rest = ''] = text?.split(':') ?? [];
  const place = parseCorrection(rest);
  return place && /^\d+$/.test(since) ? { since: Number(since), place } : { since: first, place: null };
}

/** Sends corrected traces to a webhook, as deliveries of their own. */
export function hookCorrections(
  sender: HookSender,
  subscriber: Subscriber,
  { since }: HookCorrectionsState,
  records: Pick<HookRecords, 'moveTo'>,
): CorrectionReceiver {
  const write = async (place: CorrectionPlace) => {
    if (place.at !== UNWRITTEN.at)
      await records.moveTo(toCorrectionsKey(sender.hook.id), correctionsText(since, place));
  };
  return {
    subscription: subscriber.subscription,
    since,
    isSent: (seqno) => nextStep(subscriber.position) > seqno,
    hasRoom: () => sender.hasRoom,
    onStart: (place) => sender.enqueue([], () => write(place)),
    sendCorrection: (events, place) => {
      const deliveries = events.map((json, part) => ({ id: `c${correctionText(place)}-${part}`, json }));
      sender.enqueue(deliveries, () => write(place));
    },
  };
}
