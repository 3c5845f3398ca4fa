import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pollFor } from '../../src/platform/retry/poll.ts';
import { freePort } from './free-port.ts';
import { installPython } from './python-packages.ts';

/**
 * What a broken store does: `error`: status 500; `silent`: it never answers; `cut`: half of the body, then the connection ends;
 * `altered`: a byte of the body is another one.
 */
export type S3Fault = 'altered' | 'cut' | 'error' | 'silent';

/** An S3 server (moto) that checks signatures, with one bucket and one user. */
export interface S3Server {
  readonly url: string;
  readonly bucket: string;
  /** Variables with which AWS's tools, and ours, reach it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Called for each request before the server gets it. The result is what goes wrong with the answer; nothing: it is passed on. */
  onRequest: (request: IncomingMessage) => S3Fault | undefined;
  stop(): Promise<void>;
}

const SCRIPT = join(import.meta.dirname, 's3-server.py');
const START_MS = 60_000;

/** A Python that has the server; null if this machine has none and it cannot be installed. */
export async function s3Program(directory: string): Promise<string | null> {
  if (spawnSync('python3', ['-c', 'import moto.server'], { stdio: 'ignore' }).status === 0) return 'python3';
  mkdirSync(directory, { recursive: true });
  const programs = await installPython(directory, ['moto[server,s3,iam]']);
  return programs === null ? null : join(programs, 'python');
}

/** Starts the server on a free port, and a proxy in which a test sees its requests. */
export async function startS3Server(program: string): Promise<S3Server> {
  const port = await freePort();
  const child = spawn(program, [SCRIPT, `${port}`], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/moto-api/`).then(
      () => true,
      () => false,
    );
  if (!(await pollFor(isUp, START_MS, { everyMs: 100 }))) throw new Error('the S3 server did not start');
  const bucket = 'lake';
  const keys = await createUser(url);
  await fetch(`${url}/${bucket}`, { method: 'PUT', headers: login('s3') });
  // From now on each request needs the login of a user.
  await fetch(`${url}/moto-api/reset-auth`, { method: 'POST', body: '0' });
  let onRequest: S3Server['onRequest'] = () => undefined;
  const proxy = createServer((from, to) => {
    const fault = onRequest(from);
    if (fault === 'silent') return;
    if (fault === 'error') {
      to.writeHead(500).end('<Error><Code>InternalError</Code></Error>');
      return;
    }
    const { method, url: path, headers } = from;
    const upstream = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      if (fault) void spoil(answer, to, fault);
      else answer.pipe(to);
    });
    upstream.on('error', () => to.destroy());
    from.pipe(upstream);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: endpoint,
    bucket,
    environment: { ...keys, AWS_ENDPOINT_URL: endpoint, AWS_REGION: 'us-east-1' },
    get onRequest() {
      return onRequest;
    },
    set onRequest(called) {
      onRequest = called;
    },
    stop: async () => {
      proxy.closeAllConnections();
      proxy.close();
      if (child.exitCode === null && child.kill()) await once(child, 'exit');
    },
  };
}

/** Passes a body on, but not as it is. */
async function spoil(answer: IncomingMessage, to: ServerResponse, fault: S3Fault): Promise<void> {
  const body = Buffer.concat(await answer.toArray());
  if (fault === 'cut') {
    to.write(body.subarray(0, body.length / 2), () => to.destroy());
    return;
  }
  body[body.length >> 1]! ^= 1;
  to.end(body);
}

/** The server finds the service in it, before it checks logins. */
const login = (service: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=setup/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
});

async function createUser(url: string): Promise<Record<string, string>> {
  const ask = async (parameters: Record<string, string>) => {
    const body = new URLSearchParams({ ...parameters, UserName: 'exporter', Version: '2010-05-08' });
    const answer = await fetch(url, { method: 'POST', body, headers: login('iam') });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the S3 server refused ${parameters.Action}: ${text}`);
    return text;
  };
  await ask({ Action: 'CreateUser' });
  const Statement = [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }];
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  await ask({ Action: 'PutUserPolicy', PolicyName: 'all', PolicyDocument });
  const text = await ask({ Action: 'CreateAccessKey' });
  const read = (name: string) => new RegExp(`<${name}>([^<]+)<`).exec(text)?.[1] ?? '';
  return { AWS_ACCESS_KEY_ID: read('AccessKeyId'), AWS_SECRET_ACCESS_KEY: read('SecretAccessKey') };
}
