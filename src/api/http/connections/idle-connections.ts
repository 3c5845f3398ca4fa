import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parseIpAddress, TrustedProxies, toClientName } from '../client/ip-address.ts';

/** Bound of connections without a request. */
export interface IdleLimits {
  /** Idle connections of one address at the same time; beyond it the one that is idle for longest ends. */
  readonly most: number;
  /** Addresses and subnets of proxies, whose connections belong to many clients. */
  readonly trustedProxy: readonly string[];
}

/**
 * Bounds the connections of each client address (of IPv6 the /64) that wait for a request: raw ones, those between two
 * requests, and those whose request has not arrived whole. One address cannot fill the server with what costs it nothing, and a
 * connection with a request under way, as a stream, is never ended.
 */
export function limitIdleConnections(server: Server, { most, trustedProxy }: IdleLimits): void {
  const trusted = new TrustedProxies(trustedProxy);
  /** In the order in which they became idle. */
  const idle = new Map<string, Set<Socket>>();
  const leave = (socket: Socket, address: string) => {
    const of = idle.get(address);
    if (of?.delete(socket) && of.size === 0) idle.delete(address);
  };
  const addresses = new WeakMap<object, string>();
  const rest = (socket: Socket) => {
    const address = addresses.get(socket);
    if (address === undefined || socket.destroyed) return;
    const of = idle.get(address) ?? new Set();
    idle.set(address, of.add(socket));
    for (const longest of of) {
      if (of.size <= most) break;
      of.delete(longest);
      longest.destroy();
    }
  };
  const work = (socket: Socket) => {
    const address = addresses.get(socket);
    if (address !== undefined) leave(socket, address);
  };
  server.on('connection', (socket: Socket) => {
    const remote = parseIpAddress(socket.remoteAddress ?? '');
    if (remote === null || trusted.has(remote)) return;
    const address = toClientName(remote);
    addresses.set(socket, address);
    socket.once('close', () => leave(socket, address));
    rest(socket);
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (hasBody(request)) request.once('end', () => work(socket));
    else work(socket);
    response.once('close', () => rest(socket));
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => work(socket));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
