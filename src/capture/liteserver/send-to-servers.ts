import { LiteServerError } from '../../liteapi/lite-errors.ts';
import type { ServerPool } from './server-pool.ts';

/** Result of sending: a server took the message, every asked server refused it, or none could be asked. */
export type SentToServers =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'no_server'; readonly detail: string };

/** Servers that get a message: each hands it to the network. */
const RECEIVERS = 3;

/** Sends an external message to several servers at once. One that takes it is enough. */
export async function sendToServers(pool: ServerPool, body: Uint8Array): Promise<SentToServers> {
  const receivers = pool.best().slice(0, RECEIVERS);
  const errors: Error[] = [];
  const attempts = receivers.map(async (server) => {
    try {
      const { status } = await server.request('sendMessage', { body });
      if (status !== 1) throw new LiteServerError(0, `status ${status}`);
    } catch (error) {
      errors.push(error as Error);
      throw error;
    }
  });
  try {
    await Promise.any(attempts);
    return { kind: 'taken' };
  } catch {
    const refusal = errors.find((error) => error instanceof LiteServerError);
    if (refusal) return { kind: 'refused', detail: refusal.text };
    const [first] = errors;
    return { kind: 'no_server', detail: first?.message ?? 'no lite server is connected' };
  }
}
