import type { FastifyInstance } from 'fastify';
import { PACKAGE_VERSION } from '../../platform/config/package-version.ts';
import { answerErrors } from '../http/errors/answer-errors.ts';
import { notFound } from '../http/errors/not-found.ts';
import { addOpenApi } from '../http/openapi.ts';
import { addServerTiming } from '../http/server-timing.ts';
import type { ServeContext } from '../serve-context.ts';
import { takeBodiesAsText } from './read-body.ts';

/** The release of the real server whose contract this is; sent as X-API-Version. */
const API_VERSION = '1.2.6';

/**
 * Setup that the plugins of v3 and of emulation share: errors in the contract's envelope, bodies as text, and the
 * OpenAPI document of the routes that are added afterwards.
 */
export async function prepareApi(
  app: FastifyInstance,
  { log }: Pick<ServeContext, 'log'>,
  { title, description }: { readonly title: string; readonly description: string },
): Promise<void> {
  // Parameters are read by read-parameters.ts; schemas are documentation. V8's own JSON is the fastest for answers of
  // this shape (measured, a page of 100 transactions: 0.3 ms against 2.6 ms of fast-json-stringify).
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  answerErrors(app, log);
  app.setNotFoundHandler(notFound(app));
  takeBodiesAsText(app);
  addServerTiming(app, API_VERSION);
  await addOpenApi(app, {
    title,
    description: `${description} Follows version ${API_VERSION} of the TON Center API.`,
    version: PACKAGE_VERSION,
  });
  // The real servers have a description in the pre-OpenAPI language here (v3-endpoints.md 10); generators read both.
  app.get('/doc.json', { schema: { hide: true } }, () => app.swagger());
}
