import type { FastifyInstance } from 'fastify';
import type { ServeLog } from '../../serve-context.ts';
import { loggedPath } from '../logged-path.ts';
import { errorAnswer } from './error-answer.ts';

/** Answers errors of the routes of a plugin in the envelope of v3, and logs those that are not the client's. */
export function answerErrors(app: FastifyInstance, log: ServeLog): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, body, logged, retryAfter } = errorAnswer(error);
    const facts = { error, id: request.id, url: loggedPath(request.url) };
    if (logged) log.error(facts, 'a request failed');
    if (retryAfter !== null) reply.header('Retry-After', retryAfter);
    reply.code(status).send(body);
  });
}
