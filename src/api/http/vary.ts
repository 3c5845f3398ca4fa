import type { FastifyReply } from 'fastify';

/** Adds request headers to `Vary` that an answer depends on. */
export function addVary(reply: FastifyReply, ...names: readonly string[]): void {
  const before = reply.getHeader('vary');
  const known = before === undefined ? [] : String(before).split(/,\s*/);
  reply.header('Vary', [...new Set([...known, ...names])].join(', '));
}
