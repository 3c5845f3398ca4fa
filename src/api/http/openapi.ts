import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { PAGE_POLICY } from './security-headers.ts';

/** Title and description of an OpenAPI document. */
export interface OpenApiTexts {
  readonly title: string;
  readonly description: string;
  readonly version: string;
}

/**
 * One OpenAPI document of the routes that are added to `app` after this: `openapi.json` and the page `index.html`
 * below the app's prefix. Each API has a document of its own, so `app` is the API's own context.
 */
export async function addOpenApi(app: FastifyInstance, texts: OpenApiTexts): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { ...texts },
      // None is required; without the others the page would send no key.
      security: [{}, { header: [] }, { query: [] }],
      components: {
        securitySchemes: {
          header: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
          query: { type: 'apiKey', in: 'query', name: 'api_key' },
        },
      },
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/index.html',
    // The page is served without a trailing slash, so its links must be whole.
    indexPrefix: app.prefix,
    uiConfig: { docExpansion: 'list' },
    staticCSP: PAGE_POLICY,
  });
  const document = { schema: { hide: true }, handler: () => app.swagger() };
  app.get('/openapi.json', document);
}
