import { deserialize, serialize } from 'node:v8';
import { crc32c } from '../../ton/hash/crc32c.ts';

const HEAD = 8;

/** A value with its length and checksum in front, so that what was cut off is known as such. */
export function encodeFrame(value: unknown): Uint8Array {
  const body = serialize(value);
  const frame = new Uint8Array(HEAD + body.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, body.length);
  view.setUint32(4, crc32c(body));
  frame.set(body, HEAD);
  return frame;
}

/** The values of a file up to its end or to the first one that is not whole. */
export function decodeFrames(bytes: Uint8Array): unknown[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: unknown[] = [];
  for (let at = 0; at + HEAD <= bytes.length; ) {
    const end = at + HEAD + view.getUint32(at);
    if (end > bytes.length) break;
    const body = bytes.subarray(at + HEAD, end);
    if (crc32c(body) !== view.getUint32(at + 4)) break;
    values.push(deserialize(body));
    at = end;
  }
  return values;
}
