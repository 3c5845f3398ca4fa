import type { FastifyInstance } from 'fastify';

const LONG_TEXT = 4096;

/** Sends `Server-timing` and `X-API-Version` with every answer of an API, as the real server does. */
export function addServerTiming(app: FastifyInstance, version: string): void {
  const started = new WeakMap<object, number>();
  app.addHook('onRequest', (request, _reply, done) => {
    started.set(request, performance.now());
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const milliseconds = performance.now() - (started.get(request) ?? performance.now());
    reply.header('Server-timing', `app;dur=${milliseconds.toFixed(3)}ms`);
    reply.header('X-API-Version', version);
    // Node writes a long text much slower than its bytes.
    done(null, typeof payload === 'string' && payload.length > LONG_TEXT ? Buffer.from(payload) : payload);
  });
}
