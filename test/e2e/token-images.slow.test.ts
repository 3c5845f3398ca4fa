import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeOverride } from '../../src/api/metadata/override-records.ts';
import { startServing } from '../../src/api/serve-stage.ts';
import type { Metadata } from '../../src/api/v3/schemas/address-book.ts';
import { openMetadata } from '../../src/cli/compose/metadata.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { openSse } from '../helpers/stream-client.ts';

/* A server with an image proxy returns its addresses with all metadata. The operator sets the jetton's image. */

const IMAGE = 'https://example.org/jetton.png';
const ADDRESS = `https://img.example.org/unsafe/pr:small/${Buffer.from(IMAGE).toString('base64url')}`;

interface Listed {
  readonly jetton_masters?: readonly { readonly address: string }[];
  readonly jetton_wallets?: readonly { readonly address: string; readonly owner: string }[];
  readonly metadata: Metadata;
}

describe('images of tokens at a proxy', () => {
  let api: LocalApi;
  let url: string;
  let master: string;
  const shutdown = new Shutdown();

  beforeAll(async () => {
    api = await openLocalApi({ traffic: 20, blockMs: 1_000, fast: false });
    const { client, context, identity } = api;
    master = await firstMaster();
    await writeOverride(client, identity.network, {
      address: master,
      content: JSON.stringify({ image: IMAGE }),
      isNsfw: false,
      isScam: false,
    });
    const session = {
      log: { ...context.log, debug() {} },
      shutdown,
      signal: shutdown.signal,
      owner: 'test',
      metrics: new Metrics(),
    };
    const metadata = await openMetadata(
      { network: identity.network, reader: context.client, client },
      { metadata: 'off', ipfsGateway: 'https://ipfs.io/ipfs/', imageProxy: 'https://img.example.org' },
      session,
    );
    const network = { ...context.network, label: identity.network };
    const server = await startServing(
      { ...context, network, metadata: metadata! },
      { host: '127.0.0.1', port: 0 },
    );
    shutdown.add('images', server.close);
    url = server.url;
  });
  afterAll(async () => {
    await shutdown.close(() => {});
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const v3 = async (path: string, base = url) =>
    (await (await fetch(`${base}/api/v3/${path}`)).json()) as Listed;
  const imageIn = (metadata: Metadata | undefined) => metadata?.[master]?.token_info[0]?.extra?._image_small;

  /** `contracts` has the jetton of the genesis some blocks later than `base`. */
  async function firstMaster(): Promise<string> {
    for (;;) {
      const [found] = (await v3('jetton/masters', api.url)).jetton_masters ?? [];
      if (found) return found.address;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it('are in lists, in /metadata and in no answer of a server without a proxy', async () => {
    expect(imageIn((await v3('jetton/masters')).metadata)).toBe(ADDRESS);
    expect(imageIn((await v3(`jetton/wallets?jetton_address=${master}`)).metadata)).toBe(ADDRESS);
    const map = await v3(`metadata?address=${master}`);
    expect(imageIn(map as unknown as Metadata)).toBe(ADDRESS);
    const plain = await v3('jetton/masters', api.url);
    expect(plain.metadata[master]!.token_info[0]!.extra).not.toHaveProperty('_image_small');
  });

  it('are in the events of streams', async () => {
    const { jetton_wallets: wallets = [] } = await v3(`jetton/wallets?jetton_address=${master}&limit=1000`);
    expect(wallets.length).toBeGreaterThan(0);
    const stream = await openSse(url, {
      types: ['jettons_change'],
      addresses: wallets.map(({ address }) => address),
      include_metadata: true,
    });
    await expect.poll(() => stream.events.length).toBeGreaterThan(0);
    expect(imageIn(stream.events[0]!.data.metadata as Metadata)).toBe(ADDRESS);
    await stream.close();
  });
});
