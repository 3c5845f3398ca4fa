import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Announcement } from '../../../src/cli/compose/announcement.ts';

const URL = 'http://127.0.0.1:8080';

function start(isAnswerable: () => boolean) {
  const lines: string[] = [];
  const logged = Promise.withResolvers<void>();
  const write = (_facts: object, text: string) => {
    lines.push(text);
    if (text === 'answering') logged.resolve();
  };
  const log = { debug: write, info: write, warn: write, error: write };
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const session = { log, signal: stop.signal } as Parameters<typeof Announcement.start>[2];
  const announcement = Announcement.start({ url: URL, isAnswerable }, 'localnet', session);
  return { announcement, lines, logged: logged.promise, stop };
}

describe('the line of the log that the APIs answer', () => {
  const WAITING = 'waiting for the first block; requests get 503 until then';

  it('comes at once if blocks are indexed, and only once', () => {
    const { announcement, lines } = start(() => true);
    expect(announcement.check()).toBe(true);
    expect(lines).toEqual(['answering']);
  });

  it('comes when the first block can be answered, and not before', async () => {
    let isAnswerable = false;
    const { announcement, lines, logged } = start(() => isAnswerable);
    expect([announcement.check(), lines]).toEqual([false, [WAITING]]);
    isAnswerable = true;
    await logged;
    expect(lines).toEqual([WAITING, 'answering']);
  });

  it('does not come after the session has ended', async () => {
    let isAnswerable = false;
    const { lines, stop } = start(() => isAnswerable);
    stop.abort();
    isAnswerable = true;
    await sleep(200);
    expect(lines).toEqual([WAITING]);
  });
});
