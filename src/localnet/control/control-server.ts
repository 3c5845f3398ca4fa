import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ControlRefusal } from '../control-refusal.ts';
import { EngineCallError } from '../engine/engine-client.ts';
import type { LocalnetControl } from '../localnet-control.ts';
import { OriginError } from '../origin/origin-error.ts';
import { runControlCommand } from './control-commands.ts';
import { removeControlFile, writeControlFile } from './control-file.ts';

const HOST = '127.0.0.1';
/** As for the API. Codes of contracts have some tens of thousands of bytes at most. */
const MAX_BYTES = 1_000_000;

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Takes commands for a chain on a port of this machine that only readers of its state folder know.
 * @returns closes it
 */
export async function startControlServer(
  control: LocalnetControl,
  directory: string,
): Promise<() => Promise<void>> {
  const token = randomBytes(16).toString('hex');
  const server = createServer((request, response) => {
    answer(control, token, request)
      .catch((error: unknown) => failed(error))
      .then((reply) => write(response, reply));
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = { port: (server.address() as AddressInfo).port, token };
  writeControlFile(directory, address);
  return async () => {
    removeControlFile(directory, address);
    server.close();
    // A client may wait for blocks that are never made.
    server.closeAllConnections();
  };
}

async function answer(control: LocalnetControl, token: string, request: IncomingMessage): Promise<Reply> {
  if (!isAllowed(request.headers.authorization, token)) return refusal(401, 'the token is another one');
  const command = (request.url ?? '').slice(1);
  const text = await readText(request);
  if (text === null) return refusal(413, `at most ${MAX_BYTES} bytes`);
  const given = parseObject(text);
  if (given === null) return refusal(400, 'a JSON object is needed');
  const done = runControlCommand(control, command, given);
  return done ? { status: 200, body: await done } : refusal(404, `no command ${command}`);
}

function isAllowed(authorization: string | undefined, token: string): boolean {
  const [given, expected] = [Buffer.from(authorization ?? ''), Buffer.from(`Bearer ${token}`)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function readText(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).length;
    if (bytes > MAX_BYTES) return null;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function failed(error: unknown): Reply {
  if (error instanceof ControlRefusal) return refusal(400, error.message);
  if (error instanceof EngineCallError && error.engineError === 'NotStartedError')
    return refusal(503, 'the chain runs and makes no blocks yet; GET /healthz names what it waits for');
  if (error instanceof OriginError) return refusal(503, error.message);
  return refusal(500, error instanceof Error ? error.message : String(error));
}

function refusal(status: number, error: string): Reply {
  return { status, body: { error } };
}

function write(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
