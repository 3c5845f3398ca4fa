import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { FoundCell } from '../../../../src/capture/files/find-cells.ts';
import { CellsOfServers } from '../../../../src/capture/liteserver/cells-of-servers.ts';
import { ServerPool } from '../../../../src/capture/liteserver/server-pool.ts';
import type { LiteContext } from '../../../../src/liteserver/lite-context.ts';
import { LiteServer } from '../../../../src/liteserver/lite-server.ts';
import { parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { packChain } from '../../../helpers/pack-chain.ts';
import { describeWithChain } from '../../../helpers/shared-data.ts';

const ELECTOR = { workchain: -1, address: Buffer.alloc(32, 0x33) };
const ABSENT = { workchain: 0, address: Buffer.alloc(32, 0x77) };

describeWithChain('cells of lite servers', ({ data, states }) => {
  let context: LiteContext;
  beforeAll(async () => {
    context = await packChain(join(data, 'blocks/packs'), states);
  });

  async function pool(): Promise<ServerPool> {
    const seed = Buffer.alloc(32, 5);
    const server = await LiteServer.open(context, { host: '127.0.0.1', port: 0, seed, onError: () => {} });
    onTestFinished(() => server.close());
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const address = { host: '127.0.0.1', port: server.port, key: server.publicKey };
    const servers = new ServerPool({ servers: [address], zerostate: context.zerostate, log });
    onTestFinished(() => servers.close());
    return servers;
  }

  it('are those of proven account states, and only the wanted ones', async () => {
    const servers = await pool();
    const head = context.chain.head?.header as never;
    const unknown = {
      workchain: -1,
      shard: 1n << 63n,
      seqno: 9,
      rootHash: Buffer.alloc(32),
      fileHash: Buffer.alloc(32),
    };
    const wantedAccounts = { accounts: [ABSENT, ELECTOR], libraries: ['11'.repeat(32)] };
    const { signal } = new AbortController();
    const outlet = new CellsOfServers(servers, [unknown, head], wantedAccounts, { signal });
    const everything: FoundCell[] = [];
    // A set that has everything shows what the state consists of.
    const all = { has: () => true } as unknown as ReadonlySet<string>;
    for await (const cell of outlet.cells(all)) everything.push(cell);
    expect(everything.length).toBeGreaterThan(5);
    const wanted = everything[3] as FoundCell;
    const found: FoundCell[] = [];
    for await (const cell of outlet.cells(new Set([wanted.hash, '00'.repeat(32)]))) found.push(cell);
    expect(found.map(({ hash }) => hash)).toEqual([wanted.hash]);
    expect(found[0]?.origin).toMatch(/^-1:3333.* by 127\.0\.0\.1/);
    const boc = parseBoc(found[0]?.boc as Uint8Array);
    expect(Buffer.from(new CellHashes(boc).hash(boc.roots[0] as number)).toString('hex')).toBe(wanted.hash);
  });
});
