import type { Localnet, StartOptions } from './testing/localnet.js';

export type { Localnet, LocalnetAccount, LocalnetLiteserver, StartOptions } from './testing/localnet.js';
export declare const startLocalnet: (options?: StartOptions) => Promise<Localnet>;
