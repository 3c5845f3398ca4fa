import { createHmac } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startCli } from '../helpers/run-cli.ts';

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

/** A server of the world's chain that lets the page load images, and its image proxy. */
export interface ImageWorld {
  readonly url: string;
  /** Address of the image proxy, without a slash at the end. */
  readonly proxy: string;
  /** Links of tokens that the proxy was asked for. */
  readonly links: string[];
  /** Requests that the proxy refused. */
  readonly refused: readonly string[];
  stop(): Promise<void>;
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

/** Starts `serve` by a command with an image proxy, on a data directory that another process indexes. */
export async function startImageWorld(
  command: readonly string[],
  untilAnswers: (read: () => string) => Promise<string>,
) {
  const links: string[] = [];
  const refused: string[] = [];
  const server: Server = createServer((request, response) => {
    const link = answerImage(request.url ?? '', response);
    if (link === null) refused.push(request.url ?? '');
    else links.push(link);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const flags = ['--metadata', 'fetch', '--image-proxy', `http://${KEY}:${SALT}@${host}/images`];
  const { child, text, ended } = startCli([...command, ...flags]);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    server.closeAllConnections();
    server.close();
  };
  try {
    const url = await untilAnswers(() => text.stderr);
    return { url, proxy: `http://${host}/images`, links, refused, stop } satisfies ImageWorld;
  } catch (error) {
    await stop();
    throw error;
  }
}
