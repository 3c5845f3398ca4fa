import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LiteConnection } from '../../../src/liteapi/lite-connection.ts';
import { LiteChain } from '../../../src/liteserver/chain/lite-chain.ts';
import { globalConfig } from '../../../src/liteserver/global-config.ts';
import type { LiteContext } from '../../../src/liteserver/lite-context.ts';
import { type LiteLimits, LiteServer } from '../../../src/liteserver/lite-server.ts';
import { LiteKeyError, readServerKey, writeClientConfig } from '../../../src/liteserver/server-files.ts';

const ZEROSTATE = {
  workchain: -1,
  shard: 1n << 63n,
  seqno: 0,
  rootHash: new Uint8Array(32).fill(1),
  fileHash: new Uint8Array(32).fill(2),
};
/** Waits end when the server closes. */
const LONG_WAIT = { timeoutMs: 600_000, wait: { seqno: 5, timeoutMs: 600_000 } };
const BRIEF = { timeoutMs: 60_000 };

/** A server of an empty chain. */
async function serve(limits: Partial<LiteLimits>): Promise<LiteServer> {
  const context: LiteContext = {
    chain: new LiteChain(),
    zerostate: ZEROSTATE,
    older: null,
    signatures: async () => null,
    send: null,
    runMethod: null,
    load: null,
  };
  const options = { host: '127.0.0.1', port: 0, seed: Buffer.alloc(32, 3), limits, onError: () => {} };
  return LiteServer.open(context, options);
}

async function open({ port, publicKey: key }: LiteServer): Promise<LiteConnection> {
  const connection = await LiteConnection.open({ host: '127.0.0.1', port, key }, { timeoutMs: 60_000 });
  onTestFinished(() => connection.close());
  return connection;
}

describe('limits of a lite server', () => {
  it('refuses requests beyond those under way, and answers again later', async () => {
    const server = await serve({ maxRequests: 2 });
    onTestFinished(() => server.close());
    const client = await open(server);
    const waiting = [1, 2].map(() => client.request('getTime', {}, LONG_WAIT).catch((error: Error) => error));
    await expect(client.request('getTime', {}, BRIEF)).rejects.toThrow('too many requests');
    client.close();
    await Promise.all(waiting);
  });

  it('closes connections beyond the limit at once', async () => {
    const server = await serve({ maxConnections: 1 });
    onTestFinished(() => server.close());
    const first = await open(server);
    const second = connect(server.port, '127.0.0.1');
    await once(second, 'close');
    expect((await first.request('getTime', {}, BRIEF)).now).toBeGreaterThan(0);
  });

  it('closes a connection that announces a request of more than 1 MiB', async () => {
    const server = await serve({});
    onTestFinished(() => server.close());
    const client = await open(server);
    const asked = client.request('sendMessage', { body: new Uint8Array(2 ** 20) }, BRIEF);
    await expect(asked).rejects.toMatchObject({ name: 'ConnectionClosedError' });
    expect((await (await open(server)).request('getTime', {}, BRIEF)).now).toBeGreaterThan(0);
  });

  it('ends waits and connections when it closes', async () => {
    const server = await serve({});
    const client = await open(server);
    const waiting = client.request('getTime', {}, LONG_WAIT).catch((error: Error) => error.name);
    await client.request('getTime', {}, BRIEF);
    await server.close();
    expect(['LiteServerError', 'ConnectionClosedError']).toContain(await waiting);
  });

  it('answers with an error before the first block', async () => {
    const server = await serve({});
    onTestFinished(() => server.close());
    const client = await open(server);
    await expect(client.request('getMasterchainInfo', {}, BRIEF)).rejects.toMatchObject({ code: 651 });
  });
});

describe('files of a lite server', () => {
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'lite-files-'));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };

  it('keep the key, private to the owner, and refuse a broken one', () => {
    const data = folder();
    const key = readServerKey(data);
    expect(readServerKey(data)).toEqual(key);
    const file = join(data, 'liteserver/key');
    expect(statSync(file).mode & 0o077).toBe(0);
    writeFileSync(file, 'short');
    expect(() => readServerKey(data)).toThrow(LiteKeyError);
  });

  it('have a configuration whose shards keep all 64 bits', () => {
    const data = folder();
    readServerKey(data);
    const address = { ip: '127.0.0.1', port: 4924, publicKey: Buffer.alloc(32, 9) };
    const file = writeClientConfig(data, globalConfig([address], ZEROSTATE));
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('"shard": -9223372036854775808');
    const { liteservers, validator } = JSON.parse(text);
    expect(liteservers[0]).toMatchObject({ ip: 2130706433, port: 4924 });
    expect(validator.init_block).toEqual(validator.zero_state);
    expect(globalConfig([{ ...address, ip: '192.168.0.1' }], ZEROSTATE)).toContain('"ip": -1062731775');
  });
});
