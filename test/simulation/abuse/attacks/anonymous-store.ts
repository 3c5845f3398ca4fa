import type { Attack } from '../attack.ts';
import { callHttp } from '../http-call.ts';

const STATEMENTS = [
  'SELECT 1',
  'SELECT * FROM system.users',
  'SHOW DATABASES',
  'SYSTEM STOP LISTEN HTTP',
  'SYSTEM SHUTDOWN',
  "SELECT * FROM file('/etc/passwd', 'LineAsString')",
  "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
  'CREATE DATABASE anonymous',
  'KILL QUERY WHERE 1 ASYNC',
];
const WHO: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'x-clickhouse-user': 'default' },
  { 'x-clickhouse-user': 'default', 'x-clickhouse-key': '' },
  { 'x-clickhouse-user': 'default', 'x-clickhouse-key': 'default' },
  { 'x-clickhouse-user': 'tonhouse' },
  { 'x-clickhouse-user': 'tonhouse', 'x-clickhouse-key': 'tonhouse' },
  { authorization: `Basic ${Buffer.from('default:').toString('base64')}` },
];

/** Another program on this machine that knows the store's port and no password. */
export const anonymousStore: Attack = {
  name: 'anonymous at the store',
  holds: 'no statement is run, and the store goes on listening',
  async run({ server, must }) {
    const { port } = new URL(server.store!.url);
    const route = { host: '127.0.0.1', port: Number(port) };
    for (const headers of WHO) {
      for (const statement of STATEMENTS) {
        const { status, failure } = await callHttp(route, { path: '/', body: statement, headers });
        const who = headers['x-clickhouse-user'] ?? headers.authorization ?? 'nobody';
        must(status !== 200 && failure === null, `${who}: ${statement}: ${failure ?? status}`);
      }
      for (const path of ['/play', '/dashboard', '/metrics', '/?query=SELECT+1', '/replicas_status'])
        await callHttp(route, { path, headers });
    }
  },
};
