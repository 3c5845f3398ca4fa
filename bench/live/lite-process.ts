import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BenchError } from '../common/bench-error.ts';
import { productArguments } from '../common/product-arguments.ts';

/** Options of `lite-child.ts`. */
export interface LiteChildOptions {
  /** Folder of generated packages and zerostates. */
  readonly packs: string;
  /** Lite servers, each with its own port and key. */
  readonly servers: number;
  /** Time that every answer takes in addition. */
  readonly rttMs: number;
}

/** Message to `lite-child.ts`: offer the other blocks, one step every `stepMs`; 0: all at once. */
export interface OfferBlocks {
  readonly stepMs: number;
}

interface Serving {
  /** Text of the global configuration. */
  readonly config: string;
  /** Seqno of the last masterchain block. */
  readonly last: number;
  /** Blocks that are not offered yet. */
  readonly blocksToOffer: number;
}

/** Message of `lite-child.ts`: it serves, or it offers one more step since `at` (Unix time, ms). */
export type FromLiteChild =
  | ({ readonly kind: 'serving' } & Serving)
  | { readonly kind: 'offered'; readonly mcSeqno: number; readonly at: number };

/** Lite servers in a process of their own. */
export interface LiteProcess extends Serving {
  readonly pid: number;
  /** Unix times at which steps could be had first, ms, by masterchain seqno. Only for paced steps. */
  readonly offered: ReadonlyMap<number, number>;
  offer(blocks: OfferBlocks): void;
  stop(): Promise<void>;
}

const CHILD = fileURLToPath(new URL('./lite-child.ts', import.meta.url));

/** Resolves when the servers listen and offer the first blocks. */
export async function startLiteServers(options: LiteChildOptions): Promise<LiteProcess> {
  const child = spawn(process.execPath, productArguments([JSON.stringify(options)], CHILD), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const offered = new Map<number, number>();
  const ready = Promise.withResolvers<Serving>();
  child.on('message', (message: FromLiteChild) => {
    if (message.kind === 'serving') ready.resolve(message);
    else offered.set(message.mcSeqno, message.at);
  });
  child.on('exit', (code) => ready.reject(new BenchError(`the lite servers ended with code ${code}`)));
  const serving = await ready.promise;
  return {
    ...serving,
    pid: child.pid!,
    offered,
    offer: (blocks) => void child.send(blocks),
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
