import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type LiveSource, openLiteServer } from '../../../../src/capture/liteserver/liteserver-source.ts';
import { keepLiveNote, liveNoteLines, readLiveNote } from '../../../../src/capture/liteserver/live-note.ts';
import { addLiveMetrics, liveReport } from '../../../../src/capture/liteserver/live-report.ts';
import { sendToServers } from '../../../../src/capture/liteserver/send-to-servers.ts';
import type { Step } from '../../../../src/capture/source.ts';
import { LiteServerError } from '../../../../src/liteapi/lite-errors.ts';
import { type AnswerRequest, LiteListener } from '../../../../src/liteapi/lite-listener.ts';
import { Metrics } from '../../../../src/platform/observability/metrics/metrics.ts';
import { LiteBlocks } from '../../../helpers/lite-blocks.ts';
import { makeLocalBlocks } from '../../../helpers/local-blocks.ts';

let chain: readonly Step[];
beforeAll(async () => {
  chain = await makeLocalBlocks({ transactions: 5 });
});

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

async function follow(answers: readonly AnswerRequest[]): Promise<LiveSource> {
  const servers = await Promise.all(
    answers.map(async (answer) => {
      const seed = Buffer.alloc(32, 5);
      const options = { host: '127.0.0.1', port: 0, seed, answer, onError: () => {} };
      const listener = await LiteListener.open(options);
      onTestFinished(() => listener.close());
      return { host: '127.0.0.1', port: listener.port, key: listener.publicKey };
    }),
  );
  const zerostate = new LiteBlocks(chain).zerostate.id;
  const source = openLiteServer({
    config: { servers, ignored: [], zerostate, initBlock: zerostate, hardForks: [] },
    trust: 'hashes',
    trustedBlock: null,
    from: { kind: 'seqno', seqno: 1 },
    directory: tmpdir(),
    log: quiet,
  });
  onTestFinished(() => source.close());
  await expect.poll(() => source.pool.servers.every(({ state }) => state === 'ready')).toBe(true);
  return source;
}

describe('the report of a live network', () => {
  test('has the head by the clock of the network, the servers and the trust level', async () => {
    const source = await follow([new LiteBlocks(chain).answer]);
    expect(liveReport(source)).toMatchObject({ trust: 'hashes', key_block: null, head: null });
    const last = chain.at(-1) as Step;
    for await (const { mcSeqno } of source.steps(null, new AbortController().signal))
      if (mcSeqno === last.mcSeqno) break;
    const report = liveReport(source);
    const age = Date.now() / 1000 - (last.blocks.at(-1)?.header.genUtime ?? 0);
    expect(report.head).toBe(last.mcSeqno);
    expect(Math.abs((report.head_lag_seconds ?? 0) - age)).toBeLessThan(60);
    expect(report.servers).toMatchObject([{ state: 'ready', announced: last.mcSeqno, last_error: null }]);
    const metrics = new Metrics();
    addLiveMetrics(metrics, source);
    const text = await metrics.text();
    expect(text).toMatch(/tonhouse_liteserver_ready\{server="127\.0\.0\.1:\d+"\} 1/);
    expect(text).toMatch(/tonhouse_liteserver_delivered_total\{[^}]+\} \d+/);
    expect(text).toMatch(/tonhouse_live_head_lag_seconds \d+/);
  });

  test('is a note in the data directory for other processes', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'live-note-'));
    expect(readLiveNote(directory)).toBeNull();
    expect(liveNoteLines(null)).toEqual([]);
    const stop = keepLiveNote(directory, await follow([new LiteBlocks(chain).answer]));
    onTestFinished(stop);
    await expect.poll(() => readLiveNote(directory)).not.toBeNull();
    expect(liveNoteLines(readLiveNote(directory)).join('\n')).toMatch(
      /trust +hashes\nserver +127.0.0.1:\d+ ready/,
    );
  });
});

describe('sending to lite servers', () => {
  const refuse: AnswerRequest = async (request) => {
    if (request.name === 'sendMessage') throw new LiteServerError(0, 'cannot apply external message');
    return new LiteBlocks(chain).answer(request);
  };

  test('succeeds if one of several takes the message', async () => {
    const good = new LiteBlocks(chain);
    const source = await follow([refuse, good.answer, refuse]);
    expect(await sendToServers(source.pool, Buffer.from('abcd'))).toEqual({ kind: 'taken' });
    expect(good.messages).toEqual([Buffer.from('abcd')]);
  });

  test('returns the text of a server if all refuse', async () => {
    const source = await follow([refuse, refuse]);
    expect(await sendToServers(source.pool, Buffer.alloc(4))).toEqual({
      kind: 'refused',
      detail: 'cannot apply external message',
    });
  });

  test('names why no server could be asked', async () => {
    const source = await follow([]);
    expect(await sendToServers(source.pool, Buffer.alloc(4))).toEqual({
      kind: 'no_server',
      detail: 'no lite server is connected',
    });
  });
});
