import type { FastifyReply } from 'fastify';

/** Adds request headers that an answer depends on to `Vary`, beside those that are there. */
export function addVary(reply: FastifyReply, ...names: readonly string[]): void {
  const before = reply.getHeader('vary');
  const known = before === undefined ? [] : String(before).split(/,\s*/);
  reply.header('Vary', [...new Set([...known, ...names])].join(', '));
}
