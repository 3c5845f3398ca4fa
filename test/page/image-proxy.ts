import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const KEY = 'a1b2c3';
const SALT = 'd4e5f6';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Pictures that run a script where they can. */
const SCRIPT = "fetch('/script-ran'); alert(1)";
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${SCRIPT.replaceAll('"', '')}"><script>${SCRIPT}</script><rect width="9" height="9" fill="#2a8"/></svg>`;
const HTML = `<script>${SCRIPT}</script>`;

/** An image proxy that keeps what it was asked for. */
export interface TestImageProxy {
  /** Address of the proxy, without a slash at the end. */
  readonly address: string;
  /** Value of `--image-proxy`. */
  readonly setting: string;
  /** Links of tokens that the proxy was asked for. */
  readonly links: string[];
  /** Requests that the proxy refused. */
  readonly refused: readonly string[];
  stop(): void;
}

/** Answers as an imgproxy does: signed addresses only. By the link it sends a picture, a picture with a script, or a page. */
function answerImage(path: string, response: ServerResponse): string | null {
  const [, signature = '', rest = ''] = /^\/images\/([^/]+)(\/.*)$/.exec(path) ?? [];
  const expected = createHmac('sha256', Buffer.from(KEY, 'hex'))
    .update(Buffer.from(SALT, 'hex'))
    .update(rest);
  if (signature === '' || signature !== expected.digest('base64url')) {
    response.writeHead(403).end();
    return null;
  }
  const link = Buffer.from(rest.split('/').at(-1) ?? '', 'base64url').toString();
  const [type, body] = link.endsWith('.svg')
    ? ['image/svg+xml', SVG]
    : link.endsWith('.html')
      ? ['text/html', HTML]
      : ['image/png', PIXEL];
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  return link;
}

/** Starts an image proxy on this machine. */
export async function startImageProxy(): Promise<TestImageProxy> {
  const links: string[] = [];
  const refused: string[] = [];
  const server = createServer((request, response) => {
    const link = answerImage(request.url ?? '', response);
    if (link === null) refused.push(request.url ?? '');
    else links.push(link);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address: `http://${host}/images`,
    setting: `http://${KEY}:${SALT}@${host}/images`,
    links,
    refused,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
