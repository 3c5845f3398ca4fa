import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';

/**
 * Takes the place of a Keeper: opens the ports of its configuration and is always ready. It stores nothing, because the
 * engine of chdb cannot use a Keeper: the server's own stand-in runs statements on every shard.
 */
export function runKeeper(words: readonly string[]): void {
  const file = words.find((word) => word.startsWith('--config-file='))?.slice('--config-file='.length);
  if (file === undefined) throw new Error(`expected --config-file=PATH, found ${words.join(' ')}`);
  const xml = readFileSync(file, 'utf8');
  const control = /<http_control>\s*<port>(\d+)<\/port>\s*<readiness><endpoint>([^<]*)</.exec(xml);
  const port = /<tcp_port>(\d+)</.exec(xml)?.[1];
  if (!control || port === undefined) throw new Error(`${file}: expected tcp_port and http_control`);
  const keeper = createServer((socket) => socket.destroy()).listen(Number(port));
  const readiness = createHttpServer((request, response) => {
    response.writeHead(request.url === control[2] ? 200 : 404).end('{"status":"ok"}');
  }).listen(Number(control[1]));
  process.once('SIGTERM', () => {
    keeper.close();
    readiness.closeAllConnections();
    readiness.close();
  });
}
