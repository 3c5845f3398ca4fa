import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loggedPath } from '../logged-path.ts';
import { errorBody } from './http-error.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;

/** Answers what no route takes: 405 and `Allow` if the path has routes of other methods, else 404. */
export function notFound(app: FastifyInstance) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const allowed = otherMethods(app, request);
    if (allowed.length > 0) {
      reply.header('Allow', allowed.join(', '));
      reply.code(405).send(errorBody(405, 'Method Not Allowed'));
    } else {
      reply.code(404).send(errorBody(404, `Cannot ${request.method} ${loggedPath(getPath(request))}`));
    }
  };
}

/**
 * Returns the methods of a path that no route took. Empty if the path is unknown, also if a route of the request's own method did not find
 * what the path names: a file.
 */
export function otherMethods(app: FastifyInstance, request: FastifyRequest): string[] {
  const url = getPath(request);
  const found = METHODS.filter((method) => app.findRoute({ method, url }) !== null);
  return found.some((method) => method === request.method) ? [] : found;
}

const getPath = ({ url }: FastifyRequest) => url.split('?', 1)[0] as string;
