/**
 * Receives webhooks of tonhouse and checks their signature (https://www.standardwebhooks.com).
 *
 *   SECRET=whsec_… npx node examples/receive-webhooks.ts [PORT]
 *   npx tonhouse hooks add http://127.0.0.1:3000/ --allow-private --filter '{"types":["transactions"],"addresses":["ADDRESS"]}'
 *
 * `hooks add` prints the secret. tonhouse must run with `--deliver-hooks`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const MAX_AGE_S = 300;
const key = Buffer.from((process.env.SECRET ?? '').replace(/^whsec_/, ''), 'base64');
/** Ids of the last deliveries: one may be repeated. */
const seen = new Set<string>();

function isGenuine(id: string, timestamp: string, signatures: string, body: string): boolean {
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > MAX_AGE_S) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const header = (name: string) => String(request.headers[`webhook-${name}`] ?? '');
  const body = await text(request);
  const id = header('id');
  const genuine = isGenuine(id, header('timestamp'), header('signature'), body);
  if (genuine && !seen.has(id)) console.log(`${id} ${body}`);
  if (genuine) seen.add(id);
  response.writeHead(genuine ? 204 : 401).end();
});
server.listen(Number(process.argv[2] ?? 3000), '127.0.0.1', () => console.log('listening', server.address()));
