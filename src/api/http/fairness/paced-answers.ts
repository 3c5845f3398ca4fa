import type { FastifyInstance } from 'fastify';

/** Bytes of answers that are handed to the system in one turn of the event loop: some ten milliseconds. */
const BYTES_OF_TURN = 8 * 1024 ** 2;
/** Shorter answers cost too little to wait. */
const SHORT_BYTES = 64 * 1024;

/**
 * Sends a few long answers per turn of the event loop: for a hundred clients that wait for one page of 3 MB, the system
 * would copy all 300 MB in one turn.
 */
export function paceAnswers(app: FastifyInstance): void {
  const waiting: { readonly bytes: number; send(): void }[] = [];
  let handed = 0;
  let isTurn = false;
  const turn = () => {
    handed = 0;
    while (waiting.length > 0 && handed < BYTES_OF_TURN) {
      const { bytes, send } = waiting.shift()!;
      handed += bytes;
      send();
    }
    isTurn = handed > 0;
    if (isTurn) setImmediate(turn);
  };
  app.addHook('onSend', (_request, _reply, payload, done) => {
    const bytes = typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0;
    if (bytes < SHORT_BYTES) {
      done();
      return;
    }
    if (!isTurn) {
      isTurn = true;
      setImmediate(turn);
    }
    if (waiting.length === 0 && handed < BYTES_OF_TURN) {
      handed += bytes;
      done();
    } else waiting.push({ bytes, send: done });
  });
}
