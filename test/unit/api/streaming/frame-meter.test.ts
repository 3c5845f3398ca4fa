import { describe, expect, it } from 'vitest';
import { FrameMeter } from '../../../../src/api/streaming/frame-meter.ts';
import { BINARY, CONTINUATION, clientFrame, FINAL, PING, TEXT } from '../../../helpers/client-frames.ts';

const openMeter = (bounds: Partial<ConstructorParameters<typeof FrameMeter>[0]> = {}) =>
  new FrameMeter({
    messageBytes: 70_000,
    fragments: 3,
    messagesPerSecond: 1_000,
    framesPerSecond: 1_000,
    ...bounds,
  });

/** A short, a long and a very long message, one in fragments with a ping between them, and one of no bytes. */
const MESSAGES = [
  clientFrame(FINAL | TEXT, 'abc'),
  clientFrame(FINAL | BINARY, 'x'.repeat(300)),
  clientFrame(FINAL | TEXT, 'y'.repeat(70_000)),
  Buffer.concat([
    clientFrame(TEXT, 'a'),
    clientFrame(FINAL | PING, 'p'),
    clientFrame(CONTINUATION),
    clientFrame(FINAL | CONTINUATION, 'b'),
  ]),
  clientFrame(FINAL | TEXT),
];

describe('a frame meter', () => {
  it.each([1, 2, 7, 1_000, 1_000_000])('follows messages that come in parts of %i bytes', (size) => {
    const meter = openMeter();
    const bytes = Buffer.concat(MESSAGES);
    const ends = MESSAGES.map((_, at) => Buffer.concat(MESSAGES.slice(0, at + 1)).length);
    const faults: unknown[] = [];
    const wrong: number[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      const end = Math.min(at + size, bytes.length);
      const fault = meter.read(bytes.subarray(at, end));
      if (fault) faults.push(fault);
      if (meter.isUnfinished === ends.includes(end)) wrong.push(end);
    }
    expect([faults, wrong]).toEqual([[], []]);
    expect(meter.finished).toBe(MESSAGES.length);
  });

  it('refuses a message by the length in its header, before its data', () => {
    expect(openMeter().read(clientFrame(FINAL | TEXT, '', 70_001))).toEqual({
      reason: 'message too long: 70001 bytes > max 70000',
      kind: 'too long',
    });
    expect(openMeter().read(clientFrame(FINAL | TEXT, '', 2 ** 52))?.kind).toBe('too long');
  });

  it('refuses a message whose fragments are too long in total', () => {
    const meter = openMeter();
    expect(meter.read(clientFrame(TEXT, 'x'.repeat(60_000)))).toBeNull();
    expect(meter.read(clientFrame(CONTINUATION, '', 10_001))?.reason).toBe(
      'message too long: 70001 bytes > max 70000',
    );
  });

  it.each([
    ['of data', clientFrame(CONTINUATION, 'x')],
    ['without data', clientFrame(CONTINUATION)],
    ['with pings between them', Buffer.concat([clientFrame(FINAL | PING), clientFrame(CONTINUATION, 'x')])],
  ])('refuses the fourth of three fragments %s', (_name, fragment) => {
    const meter = openMeter();
    expect(meter.read(Buffer.concat([clientFrame(TEXT, 'x'), fragment, fragment]))).toBeNull();
    expect(meter.read(fragment)).toEqual({
      reason: 'too many fragments of a message: more than 3',
      kind: 'refused',
    });
  });

  it('counts messages in a second, not their fragments', () => {
    const meter = openMeter({ messagesPerSecond: 10 });
    const message = Buffer.concat([clientFrame(TEXT, 'x'), clientFrame(FINAL | CONTINUATION)]);
    const faults = Array.from({ length: 100 }, () => meter.read(message));
    expect(faults.slice(0, 10)).toEqual(Array(10).fill(null));
    expect(faults.find((fault) => fault !== null)).toEqual({ reason: 'too many requests', kind: 'refused' });
  });

  it('counts frames of every kind in a second', () => {
    const meter = openMeter({ framesPerSecond: 10 });
    const faults = Array.from({ length: 100 }, () => meter.read(clientFrame(FINAL | PING)));
    expect(faults.find((fault) => fault !== null)).toEqual({
      reason: 'too many frames: more than 10 in a second',
      kind: 'refused',
    });
  });
});
