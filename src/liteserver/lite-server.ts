import { LiteServerError } from '../liteapi/lite-errors.ts';
import { LiteListener } from '../liteapi/lite-listener.ts';
import type { LiteRequest } from '../liteapi/schema/codec.ts';
import { answerRequest } from './answer-request.ts';
import type { LiteContext } from './lite-context.ts';

/** What strangers may take of a server. */
export interface LiteLimits {
  /** Connections at the same time; further ones are closed at once. */
  readonly maxConnections: number;
  /** Requests of one connection under way; more wait in the socket. */
  readonly maxPending: number;
  /** Requests of all connections under way; more get an error. */
  readonly maxRequests: number;
}

export const DEFAULT_LITE_LIMITS: LiteLimits = { maxConnections: 256, maxPending: 16, maxRequests: 512 };

export interface LiteServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Seed of the Ed25519 key, 32 bytes. */
  readonly seed: Uint8Array;
  readonly limits?: Partial<LiteLimits>;
  /** Gets errors of the answering code; the client gets the protocol's `error`. */
  readonly onError: (error: unknown, request: string) => void;
  /** Gets each answered request with its time. */
  readonly onAnswer?: (request: string, milliseconds: number, isError: boolean) => void;
}

/** Code of the reference server for too many requests. */
const BUSY = 651;

/** A lite server over a chain. */
export class LiteServer {
  readonly port: number;
  readonly publicKey: Uint8Array;
  readonly #listener: LiteListener;
  readonly #stop: AbortController;

  private constructor(listener: LiteListener, stop: AbortController) {
    this.port = listener.port;
    this.publicKey = listener.publicKey;
    this.#listener = listener;
    this.#stop = stop;
  }

  /** Listens. @throws an error of node:net if the port is taken */
  static async open(context: LiteContext, options: LiteServerOptions): Promise<LiteServer> {
    const { host, port, seed, onError } = options;
    const { maxConnections, maxPending, maxRequests } = { ...DEFAULT_LITE_LIMITS, ...options.limits };
    const stop = new AbortController();
    let open = 0;
    const answer = async (request: LiteRequest) => {
      if (open >= maxRequests) throw new LiteServerError(BUSY, 'too many requests at once');
      open++;
      const start = performance.now();
      let isError = true;
      try {
        const bytes = await answerRequest(context, request, stop.signal);
        isError = false;
        return bytes;
      } finally {
        open--;
        options.onAnswer?.(request.name, performance.now() - start, isError);
      }
    };
    const listener = await LiteListener.open({
      host,
      port,
      seed,
      answer,
      maxConnections,
      maxPending,
      onError: (error, request) => onError(error, request?.name ?? 'answer'),
    });
    return new LiteServer(listener, stop);
  }

  /** Ends waiting requests, closes every connection and stops listening. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#listener.close();
  }
}
