import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './http-error.ts';
import { loggedPath } from './logged-path.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;

/** Answers unknown routes: 405 and `Allow` if the path exists for another method, else 404. */
export function notFound(app: FastifyInstance) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const path = request.url.split('?', 1)[0] as string;
    const allowed = METHODS.filter((method) => app.findRoute({ method, url: path }) !== null);
    if (allowed.length > 0) {
      reply.header('Allow', allowed.join(', '));
      reply.code(405).send(errorBody(405, 'Method Not Allowed'));
    } else {
      reply.code(404).send(errorBody(404, `Cannot ${request.method} ${loggedPath(path)}`));
    }
  };
}
