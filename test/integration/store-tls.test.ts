import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer } from '../helpers/clickhouse-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tonhouse-tls-'));
const before = process.env.NODE_EXTRA_CA_CERTS;
let https: Server;

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });

/** A server of https whose certificate is signed by an authority of the test. */
beforeAll(() => {
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test', '-days', '2');
  openssl('req', ...key, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=localhost');
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost');
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
  openssl('x509', '-req', '-in', 'request.pem', ...by, '-out', 'certificate.pem');
  const read = (name: string) => readFileSync(join(folder, name));
  https = createServer({ key: read('key.pem'), cert: read('certificate.pem') }, (_request, response) =>
    response.writeHead(404).end(),
  );
  https.listen(0, 'localhost');
});
afterAll(() => {
  if (before === undefined) delete process.env.NODE_EXTRA_CA_CERTS;
  else process.env.NODE_EXTRA_CA_CERTS = before;
  https.closeAllConnections();
  https.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The error with which the store fails to read an object of the server. */
async function readObject(): Promise<string> {
  const store = await startTestServer();
  const { port } = https.address() as AddressInfo;
  const sql = `SELECT * FROM s3('https://localhost:${port}/bucket/object', 'id', 'secret', 'RawBLOB', 'text String')`;
  const settings = { s3_retry_attempts: 1 };
  const failed = store.client.queryText(sql, { route: 'test', settings }).then(String, String);
  return failed.finally(() => store.stop());
}

it('the store refuses an authority that Node does not trust', async () => {
  expect(await readObject()).toContain('certificate verify failed');
});

it('the store trusts an authority that Node trusts', async () => {
  process.env.NODE_EXTRA_CA_CERTS = join(folder, 'ca.pem');
  // The server refuses the request, in a connection that both trust.
  expect(await readObject()).toMatch(/HTTP response code: 404/);
});
