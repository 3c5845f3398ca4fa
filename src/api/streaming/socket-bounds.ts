import type { IntakeBounds } from './socket-intake.ts';
import { SUBSCRIPTION_BYTES } from './sse.ts';

/** Bytes of a message that are always allowed, for any `--stream-addresses`. */
const MIN_MESSAGE_BYTES = 64 * 1024;
/** Bytes of an address in its longest form, `-1:` and 64 digits, with quotes, comma and space. */
const ADDRESS_BYTES = 72;
/** Bytes of a subscription besides its addresses. */
const OTHER_BYTES = 2 * 1024;
/** A message of the largest size may have fragments of little more than 1 KB. */
const MAX_FRAGMENTS = 64;
/** Messages of one connection in a second, whatever the rate of its client is. */
const MAX_MESSAGES_PER_SECOND = 20;
/** Two such messages, or 20 short ones, with pings and pongs. */
const MAX_FRAMES_PER_SECOND = 128;
/** A client of 64 kbit/s sends the largest message in this time, ms. */
const UNFINISHED_MS = 10_000;
/** Parts of an incomplete frame: a slow network sends 536 bytes or more at a time. */
export const MAX_CHUNKS = 256;

/** Returns the bounds of a WebSocket whose subscription may have so many addresses. */
export function socketBounds(addresses: number): IntakeBounds {
  const needed = OTHER_BYTES + addresses * ADDRESS_BYTES;
  return {
    messageBytes: Math.min(SUBSCRIPTION_BYTES, Math.max(MIN_MESSAGE_BYTES, needed)),
    fragments: MAX_FRAGMENTS,
    messagesPerSecond: MAX_MESSAGES_PER_SECOND,
    framesPerSecond: MAX_FRAMES_PER_SECOND,
    unfinishedMs: UNFINISHED_MS,
  };
}
