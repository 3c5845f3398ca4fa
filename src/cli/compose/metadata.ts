import { ContentFetcher } from '../../api/metadata/content-fetcher.ts';
import { hasContents, readContents, writeContents } from '../../api/metadata/content-records.ts';
import { ImageProxy } from '../../api/metadata/image-proxy.ts';
import { gatewayAddress, isIpfsLink } from '../../api/metadata/ipfs-link.ts';
import { OverrideList } from '../../api/metadata/override-list.ts';
import type { TokenMetadata } from '../../api/metadata-port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { SettingsIn } from '../../platform/config/settings.ts';
import { FetchError } from '../../platform/fetch/fetch-error.ts';
import { type FetchLimits, guardedFetch } from '../../platform/fetch/guarded-fetch.ts';
import type { Session } from '../session.ts';

export type MetadataSettings = SettingsIn<'tokens'>;

/** Reads as answers do, and writes. */
export interface MetadataStore {
  readonly network: string;
  readonly reader: StoreClient;
  readonly client: StoreClient;
}

/** Limits of a fetched document (v3-rules.md 7). */
const LIMITS: FetchLimits = { timeoutMs: 10_000, maxBytes: 10 * 1024 * 1024, maxRedirects: 5 };

/**
 * Off-chain token metadata for this session; undefined in a store of an older release, which has none. With `fetch`,
 * links needed by answers are fetched.
 */
export async function openMetadata(
  store: MetadataStore,
  settings: MetadataSettings,
  session: Session,
): Promise<TokenMetadata | undefined> {
  const { network, reader } = store;
  if (!(await hasContents(reader, network))) return undefined;
  const overrides = new OverrideList(reader, network, session.log);
  await overrides.start();
  session.shutdown.add('token overrides', async () => overrides.close());
  const fetcher = settings.metadata === 'fetch' ? openFetcher(store, settings, session) : null;
  const { imageProxy, ipfsGateway } = settings;
  const images = imageProxy === undefined ? null : new ImageProxy(imageProxy, ipfsGateway);
  return {
    // A page loads nothing that strangers name unless the operator lets the server do so, too.
    imageBase: fetcher && images ? images.base : null,
    getImages: (image) => images?.getExtra(image) ?? {},
    findOverride: (address) => overrides.find(address),
    wanted: (links) => fetcher?.wanted(links),
  };
}

function openFetcher(
  { client, network }: MetadataStore,
  { ipfsGateway }: MetadataSettings,
  session: Session,
): ContentFetcher {
  const fetcher = new ContentFetcher({
    fetch: async (link, signal) => {
      const isIpfs = isIpfsLink(link);
      // The operator's gateway may be on this machine; a token's own link to the same address is refused.
      const trusted = isIpfs ? new URL(ipfsGateway) : undefined;
      return guardedFetch(isIpfs ? atGateway(link, ipfsGateway) : link, LIMITS, {
        signal,
        trustedOrigin: trusted?.origin,
        trustedPath: trusted?.pathname,
      });
    },
    read: (links) => readContents(client, network, links),
    write: (records) => writeContents(client, network, records),
    log: session.log,
    metrics: session.metrics,
    now: () => Math.floor(Date.now() / 1000),
  });
  session.shutdown.add('metadata', async () => fetcher.close());
  session.log.info({ ipfsGateway }, 'metadata of tokens is fetched as answers ask for it');
  return fetcher;
}

/** @throws FetchError scheme */
function atGateway(link: string, gateway: string): string {
  const address = gatewayAddress(link, gateway);
  if (address === null) throw new FetchError('scheme', 'the path leaves the gateway');
  return address;
}
