import type { FastifyReply } from 'fastify';

/** Who finds a part unwell looks again after so many seconds: about what it takes to be started again. */
const RETRY_AFTER_SECONDS = 5;

/** The status of an answer about health: 200, or 503 with the time to look again. */
export function healthStatus(reply: FastifyReply, isWell: boolean): FastifyReply {
  return isWell ? reply.code(200) : reply.code(503).header('Retry-After', RETRY_AFTER_SECONDS);
}
