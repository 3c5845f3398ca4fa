import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageOfNpm } from '../../helpers/published-package.ts';

const INTEGRITY =
  'sha512-ntDJU1b/kgMFvOYN09FvhdnAfwnZh8W5sONkUP+P0FQkYRa/027otRxApp5gfxZ9DR+3WTnCQgrsG/EXv8RhEA==';

/** JSON as the client passes it on: a missing value throws. */
// biome-ignore lint/suspicious/noExplicitAny: the client names no types
type Json = any;

/** A big number of the client. */
interface Big {
  toString(base?: number): string;
}

/** The parts of the published client that these tests use. */
export interface TonWeb {
  readonly HttpProvider: new (
    endpoint: string,
  ) => Readonly<Record<string, (...parameters: unknown[]) => Promise<Json>>>;
  readonly Wallets: {
    readonly all: Readonly<Record<string, new (provider: object, options: object) => Json>>;
  };
  readonly token: {
    readonly jetton: Readonly<
      Record<'JettonMinter' | 'JettonWallet', new (provider: object, options: object) => Json>
    >;
    readonly nft: Readonly<
      Record<'NftCollection' | 'NftItem', new (provider: object, options: object) => Json>
    >;
  };
  readonly utils: {
    readonly BN: new (text: string) => Big;
    bytesToBase64(bytes: Uint8Array): string;
    toNano(text: string): Big;
  };
  readonly Address: new (text: string) => { toString(...forms: boolean[]): string };
  readonly BlockSubscription: new (
    provider: object,
    storage: object,
    onBlock: (header: Json) => Promise<void>,
    options: object,
  ) => { start(): Promise<void>; stop(): void };
  readonly InMemoryBlockStorage: new () => object;
}

/** The published bundle for web pages; null if it cannot be fetched. */
export async function openTonWeb(): Promise<TonWeb | null> {
  const folder = await packageOfNpm('tonweb', '0.0.66', INTEGRITY);
  if (folder === null) return null;
  Object.assign(globalThis, { self: globalThis });
  return createRequire(import.meta.url)(join(folder, 'package/dist/tonweb.js')) as TonWeb;
}
