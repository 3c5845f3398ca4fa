/**
 * Streams and webhooks of a server without get methods: corrected traces are sent again, once, although the processes that
 * correct are killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newHookKeys } from '../../src/api/hooks/hook.ts';
import { HookRecords } from '../../src/api/hooks/hook-records.ts';
import { HookServer } from '../../src/api/hooks/hook-server.ts';
import { startServing } from '../../src/api/serve-stage.ts';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import type { TraceAnswer } from '../../src/api/v3/schemas/trace.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { REFUSED } from '../helpers/changed-contracts.ts';
import { CorrectedTables } from '../helpers/corrected-tables.ts';
import type { CorrectingFacts } from '../helpers/correcting-process.ts';
import { account, CustomTokenChain, findAction } from '../helpers/custom-token-chain.ts';
import { IS_LONG } from '../helpers/long-run.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { openSocket, openSse, type SocketClient, type SseClient } from '../helpers/stream-client.ts';

const LATE = { timeout: 500_000, interval: 500 };
const FOLDER = import.meta.dirname;
const DIE_WITH_RUNNER = pathToFileURL(resolve(FOLDER, '../simulation/common/die-with-runner.ts')).href;
const CORRECTING = resolve(FOLDER, '../helpers/correcting-process.ts');
/** Kills of processes that correct, and the writes of a correction within which they come. */
const KILLS = IS_LONG ? 8 : 4;
const MAX_WRITES = 14;
const MAX_DELAY_MS = 40;
const random = new SeededRandom(41);

/** A process that corrects, and kills itself after some writes; 0: never. */
function startCorrecting({ directory, connection, identity }: CorrectingFacts, writes: number): ChildProcess {
  const facts = JSON.stringify({ directory, connection, identity });
  const words = [facts, `${writes}`, `${random.below(MAX_DELAY_MS)}`];
  const node = ['--import', DIE_WITH_RUNNER, CORRECTING, ...words];
  return spawn(process.execPath, node, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Two servers that correct, each killed and started again; then two that are not killed. */
function correctWithKills(facts: CorrectingFacts): { readonly kills: number; end(): Promise<void> } {
  const children = new Set<ChildProcess>();
  const state = { kills: 0, isOver: false };
  const serve = async () => {
    while (!state.isOver) {
      const child = startCorrecting(facts, state.kills < KILLS ? 1 + random.below(MAX_WRITES) : 0);
      children.add(child);
      const [code, signal] = await once(child, 'exit');
      children.delete(child);
      if (state.isOver) return;
      expect([code, signal]).toEqual([null, 'SIGKILL']);
      state.kills++;
    }
  };
  const servers = Promise.all([serve(), serve()]);
  return {
    get kills() {
      return state.kills;
    },
    end: async () => {
      state.isOver = true;
      for (const child of children) child.kill('SIGKILL');
      await servers;
    },
  };
}

/** A client of a server that does not correct: it finds nothing that is due. */
function withoutCorrections(client: StoreClient): StoreClient {
  const refused = new Set(['actions/corrections', 'lake/corrections']);
  return {
    ...client,
    queryRows: async (sql, options) => {
      if (refused.has(options.route)) throw new Error('another process corrects');
      return client.queryRows(sql, options);
    },
  };
}

/** An event of a stream, or the body of a delivery. */
type StreamedEvent = Record<string, unknown>;

interface Delivered {
  readonly id: string;
  readonly event: StreamedEvent;
}

describe('tokens that are detected after a stream has sent their transfers', { timeout: 900_000 }, () => {
  let chain: CustomTokenChain;
  let tables: CorrectedTables;
  let correcting: ReturnType<typeof correctWithKills>;
  /** A server without get methods. */
  let blind: Awaited<ReturnType<typeof startServing>>;
  let hooks: HookServer;
  let records: HookRecords;
  let receiver: Server;
  let sse: SseClient;
  let socket: SocketClient;
  /** A server with get methods recognises the transfers at once. */
  let seeing: SseClient;
  const delivered: Delivered[] = [];
  const expected: (Partial<ActionAnswer> & { readonly type: string })[] = [];

  const isOfActions = ({ type }: StreamedEvent) => type === 'actions';
  const clients: Readonly<Record<string, () => readonly StreamedEvent[]>> = {
    sse: () => sse.events.map(({ data }) => data),
    websocket: () => socket.frames,
    webhook: () => delivered.map(({ event }) => event),
  };
  /** Events by the external message. */
  const byMessage = (events: readonly StreamedEvent[]) =>
    Map.groupBy(events, (event) => String(event.trace_external_hash_norm));
  const isCorrected = ({ corrected }: StreamedEvent) => corrected === true;

  beforeAll(async () => {
    chain = await CustomTokenChain.open({ awaited: ['contracts', 'actions'] });
    tables = new CorrectedTables(chain.api);
    const { context, client } = chain.api;
    const { chain: _, ...withoutMethods } = context;
    blind = await startServing(withoutMethods, { host: '127.0.0.1', port: 0 });
    receiver = createServer(async (request, reply) => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += part;
      delivered.push({ id: String(request.headers['webhook-id']), event: JSON.parse(body) });
      reply.end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const subscription = { types: ['actions'], addresses: [chain.owner], min_finality: 'finalized' };
    records = new HookRecords(client, 'localnet');
    await records.write({
      ...newHookKeys(),
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      filter: JSON.stringify(subscription),
      ...{ start: '', allowsPrivate: true, createdAt: 1, isRemoved: false },
    });
    hooks = new HookServer(withoutMethods, records);
    hooks.start();
    // It begins at the head, and writes so.
    await vi.waitFor(async () => expect((await records.positions()).size).toBeGreaterThan(0), LATE);
    sse = await openSse(blind.url, subscription);
    seeing = await openSse(chain.api.url, subscription);
    socket = await openSocket(blind.url);
    socket.send({ operation: 'subscribe', id: '1', ...subscription });
    await socket.until(({ status }) => status === 'subscribed');
    for (const [place, one] of chain.jettonCases.entries()) {
      const to = account(0x80 + place);
      await chain.send(one.jetton.transfer(one.requested, { to }));
      expected.push(chain.jettonAction(one, to));
      await chain.mine(8);
    }
    const handover = { to: account(0x90), queryId: REFUSED };
    await chain.send(chain.nfts.transfer(handover));
    expected.push(chain.nftAction(handover, false));
    await chain.mine(8);
  }, 900_000);
  afterAll(async () => {
    await correcting?.end();
    await hooks?.close();
    await sse?.close();
    await seeing?.close();
    socket?.socket.close();
    receiver?.close();
    await blind?.close();
    await chain?.api.close();
    // A busy machine makes the store slow.
    expect(
      chain?.api.logged.filter(
        (line) => !/StoreTimeoutError|DeadlineError|another process corrects/.test(line),
      ),
    ).toEqual([]);
  });

  it('send calls first', async () => {
    for (const [name, events] of Object.entries(clients)) {
      await expect.poll(() => byMessage(events().filter(isOfActions)).size, LATE).toBe(expected.length);
      expect(events().some(isCorrected), name).toBe(false);
      for (const event of events().filter(isOfActions))
        for (const { type } of expected) expect(findAction(event.actions, type), name).toBeUndefined();
    }
    await expect.poll(() => seeing.events.length, LATE).toBe(expected.length);
  });

  it('send the corrected actions once to each client, which replace the calls', async () => {
    // A client that asks for one trace, and resumes from before it.
    const { trace_external_hash_norm: norm } = sse.events[0]!.data;
    const wanted = {
      types: ['trace'],
      trace_external_hash_norms: [norm],
      last_event_id: sse.received[0]!.id,
    };
    const trace = await openSse(blind.url, wanted);
    await expect.poll(() => trace.events.length, LATE).toBeGreaterThan(0);
    chain.api.detect(withoutCorrections(chain.api.client));
    correcting = correctWithKills(chain.api);
    for (const events of Object.values(clients))
      await expect.poll(() => events().filter(isCorrected).length, LATE).toBe(expected.length);
    await expect.poll(() => trace.events.filter(({ data }) => isCorrected(data)).length, LATE).toBe(1);
    expect(findAction(trace.events.at(-1)!.data.actions, expected[0]!.type)).toMatchObject(expected[0]!);
    expect(trace.events.at(-1)!.data).toMatchObject({
      type: 'trace',
      finality: 'finalized',
      corrected: true,
    });
    await trace.close();
    // What a later trace sends comes after every repetition.
    const norms = new Set(sse.events.map(({ data }) => String(data.trace_external_hash_norm)));
    const [one, to] = [chain.jettonCases[0]!, account(0x99)];
    await chain.send(one.jetton.transfer(one.requested, { to }));
    await chain.mine(8);
    // Its wallet is detected before the trace is stored: nothing corrects it, and yet the stream may have sent calls.
    const later = chain.jettonAction(one, to);
    for (const [name, events] of Object.entries(clients)) {
      await expect.poll(() => byMessage(events().filter(isOfActions)).size, LATE).toBe(expected.length + 1);
      const isLater = (event: StreamedEvent) =>
        isOfActions(event) && !norms.has(String(event.trace_external_hash_norm));
      await expect
        .poll(() => findAction(events().findLast(isLater)?.actions, later.type), LATE)
        .toMatchObject(later);
      const corrected = byMessage(events().filter((event) => isCorrected(event) && !isLater(event)));
      expect([...corrected.values()].map(({ length }) => length)).toEqual(expected.map(() => 1));
      for (const one of expected) {
        const own = [...corrected.values()].flatMap(([event]) => event?.actions as ActionAnswer[]);
        expect(own, name).toContainEqual(
          expect.objectContaining({ ...one, details: expect.objectContaining(one.details as object) }),
        );
      }
    }
    for (const { id, data } of sse.events) expect(id === null).toBe(isCorrected(data));
    expect(seeing.events.filter(({ data }) => isCorrected(data))).toEqual([]);
  });

  it('send nothing again after a restart of the webhooks, and each correction under its own id', async () => {
    const ids = delivered.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    await hooks.close();
    const { chain: _, ...withoutMethods } = chain.api.context;
    hooks = new HookServer(withoutMethods, records);
    hooks.start();
    const before = delivered.length;
    const sent = new Set(delivered.map(({ event }) => event.trace_external_hash_norm));
    await chain.send(chain.jettonCases[0]!.jetton.transfer(1_000n, { to: account(0x9a) }));
    await chain.mine(8);
    await expect.poll(() => delivered.length, LATE).toBeGreaterThan(before);
    const again = delivered.slice(before).filter(({ event }) => sent.has(event.trace_external_hash_norm));
    expect(again).toEqual([]);
  });

  it('are recognised in emulations, pending actions, actions and traces after their detection', async () => {
    const transfers = [
      ...chain.jettonCases.map((one, place) => {
        const to = account(0xa0 + place);
        return [one.jetton.transfer(one.requested, { to }), chain.jettonAction(one, to)] as const;
      }),
      ...[REFUSED, 8n].map((queryId) => {
        const handover = { to: account(0xb0), queryId };
        return [chain.nfts.transfer(handover), chain.nftAction(handover, queryId !== REFUSED)] as const;
      }),
    ];
    for (const [transfer, action] of transfers) {
      const found = (actions: unknown) => expect(findAction(actions, action.type)).toMatchObject(action);
      const emulated = { boc: chain.message(transfer), with_actions: true };
      found((await chain.post('emulate/v1/emulateTrace', emulated)).actions);
      const hash = await chain.send(transfer);
      found((await chain.get('pendingActions', { ext_msg_hash: hash })).actions);
      await chain.mine(8);
      found((await chain.get('actions', { msg_hash: hash })).actions);
      const { traces } = await chain.get('traces', { msg_hash: hash, include_actions: 'true' });
      found((traces as readonly TraceAnswer[])[0]!.actions);
    }
  });

  it('are the rows of a replay, none twice and none missing', async () => {
    await expect.poll(async () => (await tables.figures())['waiting traces'], LATE).toBe(0);
    await expect
      .poll(async () => (await tables.readDone()).lake, LATE)
      .toBe((await tables.readDone()).actions);
    await correcting.end();
    expect(correcting.kills).toBeGreaterThan(2);
    await tables.expectReplayed();
  });
});
