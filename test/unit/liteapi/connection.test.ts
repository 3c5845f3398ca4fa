import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHandshake } from '../../../src/liteapi/adnl/handshake.ts';
import { keyPair } from '../../../src/liteapi/adnl/keys.ts';
import { PacketSocket } from '../../../src/liteapi/adnl/packet-socket.ts';
import { writePacket } from '../../../src/liteapi/adnl/packets.ts';
import { LiteConnection } from '../../../src/liteapi/lite-connection.ts';
import {
  AnswerTimeoutError,
  ConnectionClosedError,
  LiteServerError,
  UnknownAnswerError,
} from '../../../src/liteapi/lite-errors.ts';
import { type AnswerRequest, LiteListener } from '../../../src/liteapi/lite-listener.ts';
import { decodeBoxed, encodeBoxed, encodeRequest } from '../../../src/liteapi/schema/codec.ts';

const SEED = Buffer.alloc(32, 9);
const TIMEOUT = { timeoutMs: 60_000 };
const answerTime: AnswerRequest = async () => encodeBoxed('currentTime', { now: 17 });

async function serve(
  answer: AnswerRequest,
  onError: (error: unknown) => void = () => {},
): Promise<LiteListener> {
  const listener = await LiteListener.open({ host: '127.0.0.1', port: 0, seed: SEED, answer, onError });
  onTestFinished(() => listener.close());
  return listener;
}

async function open(port: number, pingMs = 5_000): Promise<LiteConnection> {
  const address = { host: '127.0.0.1', port, key: keyPair(SEED).publicKey };
  const connection = await LiteConnection.open(address, { timeoutMs: 60_000, pingMs });
  onTestFinished(() => connection.close());
  return connection;
}

/** A TCP server between client and lite server that handles each chunk of one direction in its own way. */
async function proxy(
  port: number,
  pass: (chunk: Buffer, to: Socket) => void | Promise<void>,
): Promise<number> {
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      let turn: Promise<void> = Promise.resolve();
      from.on('data', (chunk: Buffer) => {
        turn = turn.then(() => pass(chunk, to));
      });
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('both ends over a socket', () => {
  test('answer requests in any order, each with its own answer', async () => {
    const waiting: (() => void)[] = [];
    const { port } = await serve(async ({ parameters }) => {
      if (waiting.length < 2) await new Promise<void>((resolve) => waiting.push(resolve));
      else for (const one of waiting.toReversed()) one();
      return encodeBoxed('sendMsgStatus', { status: (parameters as { body: Uint8Array }).body.length });
    });
    const connection = await open(port);
    const answers = [1, 2, 3].map((length) =>
      connection.request('sendMessage', { body: Buffer.alloc(length) }, TIMEOUT),
    );
    expect(await Promise.all(answers)).toEqual([{ status: 1 }, { status: 2 }, { status: 3 }]);
  });

  test('agree about every byte if the bytes arrive one by one, from the handshake on', async () => {
    const { port } = await serve(async () => encodeBoxed('libraryResult', { result: [] }));
    const single = await proxy(port, async (chunk, to) => {
      for (const byte of chunk) {
        to.write(Buffer.from([byte]));
        await nextTurn();
      }
    });
    const connection = await open(single);
    expect(await connection.request('getLibraries', { library_list: [Buffer.alloc(32)] }, TIMEOUT)).toEqual({
      result: [],
    });
  });

  test('take several packets in one chunk, also after the ready packet', async () => {
    const { port, publicKey } = await serve(answerTime);
    const { hello, streams } = startHandshake(publicKey);
    const query = (id: number) =>
      encodeBoxed('adnl.message.query', {
        query_id: Buffer.alloc(32, id),
        query: encodeRequest('getTime', {}, null),
      });
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const found: string[] = [];
    const done = Promise.withResolvers<void>();
    const packets = new PacketSocket(socket, streams, (payload) => {
      found.push(payload.length === 0 ? 'ready' : decodeBoxed(payload).type);
      if (found.length === 4) done.resolve();
    });
    socket.on('data', (chunk: Buffer) => packets.receive(chunk));
    const three = Buffer.concat([1, 2, 3].map((id) => writePacket(query(id))));
    socket.write(Buffer.concat([hello, streams.send.update(three)]));
    await done.promise;
    expect(found).toEqual(['ready', 'adnl.message.answer', 'adnl.message.answer', 'adnl.message.answer']);
  });

  test('carry an answer of nearly 16 MiB', async () => {
    const result = [{ hash: Buffer.alloc(32), data: Buffer.alloc(16_700_000, 3) }];
    const { port } = await serve(async () => encodeBoxed('libraryResult', { result }));
    const answer = await (await open(port)).request('getLibraries', { library_list: [] }, TIMEOUT);
    expect(answer.result[0]?.data.length).toBe(16_700_000);
  });

  test('name the error of a server and of an answer that is too large', async () => {
    const reported: unknown[] = [];
    const { port } = await serve(
      async ({ name }) => {
        if (name === 'getTime') throw new LiteServerError(651, 'not ready');
        const data = Buffer.alloc(16_777_160);
        return encodeBoxed('libraryResult', { result: [{ hash: Buffer.alloc(32), data }] });
      },
      (error) => reported.push(error),
    );
    const connection = await open(port);
    const refusal = connection.request('getTime', {}, TIMEOUT);
    await expect(refusal).rejects.toMatchObject({ name: 'LiteServerError', code: 651, text: 'not ready' });
    const large = connection.request('getLibraries', { library_list: [] }, TIMEOUT).then(
      () => 'an answer',
      (error: Error) => error.message,
    );
    expect(await large).toMatch(/packet of \d+ bytes, at most 16777216/);
    expect(reported).toHaveLength(1);
  });

  test('report what the answering code throws, and go on', async () => {
    const reported: unknown[] = [];
    const { port } = await serve(
      async ({ name }) => {
        if (name === 'getVersion') throw new Error('broken');
        return encodeBoxed('currentTime', { now: 1 });
      },
      (error) => reported.push(error),
    );
    const connection = await open(port);
    await expect(connection.request('getVersion', {}, TIMEOUT)).rejects.toBeInstanceOf(LiteServerError);
    expect(reported).toMatchObject([{ message: 'broken' }]);
    expect(await connection.request('getTime', {}, TIMEOUT)).toEqual({ now: 1 });
  });

  test('give tcp.authentificationNonce to a client that asks for it', async () => {
    const { port, publicKey } = await serve(answerTime);
    const { hello, streams } = startHandshake(publicKey);
    const socket = connect(port, '127.0.0.1', () => socket.write(hello));
    onTestFinished(() => void socket.destroy());
    const answered = Promise.withResolvers<string>();
    const packets = new PacketSocket(socket, streams, (payload) => {
      if (payload.length > 0) answered.resolve(decodeBoxed(payload).type);
      else packets.send(encodeBoxed('tcp.authentificate', { nonce: Buffer.alloc(32) }));
    });
    socket.on('data', (chunk: Buffer) => packets.receive(chunk));
    expect(await answered.promise).toBe('tcp.authentificationNonce');
  });
});

describe('the client', () => {
  test('refuses an answer of another type and an answer that is no TL value', async () => {
    const answers = [
      encodeBoxed('version', { mode: 0, version: 1, capabilities: 0n, now: 1 }),
      Buffer.alloc(5),
    ];
    const { port } = await serve(async () => answers.shift() ?? Buffer.alloc(0));
    const connection = await open(port);
    for (let times = 0; times < 3; times++)
      await expect(connection.request('getTime', {}, TIMEOUT)).rejects.toBeInstanceOf(UnknownAnswerError);
  });

  test('drops an answer that comes after the time limit, and counts it', async () => {
    const late = Promise.withResolvers<void>();
    let isFirst = true;
    const { port } = await serve(async () => {
      if (isFirst) {
        isFirst = false;
        await late.promise;
      }
      return encodeBoxed('currentTime', { now: 5 });
    });
    const connection = await open(port);
    const first = connection.request('getTime', {}, { timeoutMs: 1 });
    await expect(first).rejects.toBeInstanceOf(AnswerTimeoutError);
    late.resolve();
    expect(await connection.request('getTime', {}, TIMEOUT)).toEqual({ now: 5 });
    await expect.poll(() => connection.lateAnswers).toBe(1);
  });

  test('fails immediately at a server with another key', async () => {
    const { port } = await serve(answerTime);
    const key = keyPair(Buffer.alloc(32, 1)).publicKey;
    const opening = LiteConnection.open({ host: '127.0.0.1', port, key }, { timeoutMs: 60_000 });
    await expect(opening).rejects.toThrow(/closed by the server/);
  });

  test('fails its open requests if the connection is cut inside a packet', async () => {
    const { port } = await serve(answerTime);
    let isCut = false;
    const cut = await proxy(port, (chunk, to) => {
      if (isCut) {
        to.write(chunk.subarray(0, chunk.length >> 1), () => to.destroy());
        return;
      }
      to.write(chunk);
    });
    const connection = await open(cut);
    isCut = true;
    await expect(connection.request('getTime', {}, TIMEOUT)).rejects.toBeInstanceOf(ConnectionClosedError);
    await expect(connection.request('getTime', {}, TIMEOUT)).rejects.toBeInstanceOf(ConnectionClosedError);
    expect((await connection.closed).message).toContain('127.0.0.1');
  });

  test('closes a connection if no ping is answered', async () => {
    const { port } = await serve(answerTime);
    let isSilent = false;
    const silent = await proxy(port, (chunk, to) => {
      if (!isSilent) to.write(chunk);
    });
    const connection = await open(silent, 20);
    isSilent = true;
    expect((await connection.closed).message).toMatch(/no answer to two pings/);
  });
});

describe('the server', () => {
  test('closes the connection of a client that wants another key', async () => {
    const { port } = await serve(answerTime);
    const { hello } = startHandshake(keyPair(Buffer.alloc(32, 1)).publicKey);
    const socket = connect(port, '127.0.0.1', () => socket.write(hello));
    await once(socket, 'close');
  });

  test('survives unusable keys, damaged parameters and packets that break the protocol', async () => {
    const { port, publicKey } = await serve(answerTime);
    const { hello } = startHandshake(publicKey);
    const unusable = Buffer.from(hello);
    unusable.fill(0, 32, 64);
    unusable[32] = 1;
    const damaged = Buffer.from(hello);
    damaged[200] = (damaged[200] as number) ^ 1;
    for (const bytes of [unusable, damaged, Buffer.concat([hello, Buffer.alloc(64, 5)])]) {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      socket.resume();
      await once(socket, 'close');
    }
    expect(await (await open(port)).request('getTime', {}, TIMEOUT)).toEqual({ now: 17 });
  });
});
