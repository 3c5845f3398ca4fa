import { fileURLToPath } from 'node:url';
import { createStartLocalnet } from './create-localnet.ts';
import type { Localnet, StartOptions } from './localnet.ts';

export type {
  BagOfCells,
  Impersonated,
  ImpersonatedMessage,
  LiteserverFork,
  Localnet,
  LocalnetAccount,
  LocalnetLiteserver,
  StartOptions,
} from './localnet.ts';

/**
 * Starts a local chain with its API for a test, on free ports and in a folder of its own. It ends with this process.
 * The first start of a version prepares a chain in the user's cache folder; later ones copy it.
 */
export const startLocalnet: (options?: StartOptions) => Promise<Localnet> = createStartLocalnet(
  fileURLToPath(new URL('../../', import.meta.url)),
);
