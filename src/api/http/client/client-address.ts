import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseIpAddress, TrustedProxies } from './ip-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** IP address of the client: of the connection, or the one that a trusted proxy names. Canonical text. */
    clientAddress: string;
  }
}

const UNKNOWN = 'unknown';

/** Gives each request the address of its client. */
export function addClientAddress(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const trusted = new TrustedProxies(trustedProxies);
  app.decorateRequest('clientAddress', UNKNOWN);
  app.addHook('onRequest', (request, _reply, done) => {
    request.clientAddress = findClientAddress(request, trusted);
    done();
  });
}

/**
 * Returns the last address that no trusted proxy has, from the connection backwards through `X-Forwarded-For`. If a proxy names what is
 * no address, the proxy is the client. Empty list elements are skipped (RFC 9110, 5.6.1).
 */
function findClientAddress({ socket, headers }: FastifyRequest, trusted: TrustedProxies): string {
  const remote = socket.remoteAddress ?? '';
  let client = parseIpAddress(remote) ?? UNKNOWN;
  const forwarded = headers['x-forwarded-for'];
  const hops = (typeof forwarded === 'string' ? forwarded : '').split(',');
  for (const hop of hops.reverse()) {
    if (!trusted.has(client)) break;
    if (hop.trim() === '') continue;
    const address = parseIpAddress(hop);
    if (address === null) break;
    client = address;
  }
  return client;
}
