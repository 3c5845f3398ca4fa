import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addVary } from './vary.ts';

/** Files of the page (web/build, made by `npm run build:page`), and their content types. */
const FILES: Readonly<Record<string, string>> = {
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'licences.txt': 'text/plain; charset=utf-8',
};
const FOLDER = new URL('../../../web/build/', import.meta.url);

/**
 * Content-Security-Policy of the page: only its own script and styles, requests to this server, images of this server and of the
 * image proxy, no frame around it. Text of strangers cannot become markup: the page has no policy that would let a script
 * write HTML.
 */
function toPolicy(imageBase: string | null): string {
  // A policy separates its parts by these characters.
  const proxy = imageBase?.replaceAll(';', '%3B').replaceAll(',', '%2C');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${proxy === undefined ? '' : ` ${proxy}`}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/**
 * `/`: the page for browsers, which ask for HTML. Other clients are redirected to the description of v3. `/web/…`: the files
 * of the page. They are read once. `imageBase`: beginning of the addresses of images that it may load; null for none.
 */
export function addPage(app: FastifyInstance, imageBase: string | null): void {
  const policy = toPolicy(imageBase);
  const send = (reply: FastifyReply, type: string, content: Buffer) =>
    reply.type(type).header('Content-Security-Policy', policy).send(content);
  const page = readFileSync(new URL('index.html', FOLDER));
  app.get('/', (request, reply) => {
    addVary(reply, 'Accept');
    if (!acceptsHtml(request.headers.accept)) return reply.redirect('/api/v3/index.html', 301);
    return send(reply, 'text/html; charset=utf-8', page);
  });
  for (const [name, type] of Object.entries(FILES)) {
    const content = readFileSync(new URL(name, FOLDER));
    app.get(`/web/${name}`, (_request, reply) => send(reply, type, content));
  }
}

/** True if a client names HTML: `*` is what programs send. */
function acceptsHtml(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '');
}
