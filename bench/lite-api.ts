/**
 * `npm run bench:lite-api`: requests and bytes of the lite server protocol over a local connection, both ends in this
 * process; CPU time of both together.
 */
import { LiteConnection } from '../src/liteapi/lite-connection.ts';
import { LiteListener } from '../src/liteapi/lite-listener.ts';
import { encodeBoxed } from '../src/liteapi/schema/codec.ts';
import { note } from './common/report.ts';

const REQUESTS = 5_000;
const IN_FLIGHT = 16;
const BLOCK_BYTES = 10_752;

const id = {
  workchain: -1,
  shard: -(2n ** 63n),
  seqno: 1,
  root_hash: Buffer.alloc(32),
  file_hash: Buffer.alloc(32),
};
const data = Buffer.alloc(BLOCK_BYTES, 1);
const listener = await LiteListener.open({
  host: '127.0.0.1',
  port: 0,
  seed: Buffer.alloc(32, 1),
  answer: async () => encodeBoxed('blockData', { id, data }),
  onError: (error) => note(String(error)),
});
const { port, publicKey } = listener;
const connection = await LiteConnection.open({ host: '127.0.0.1', port, key: publicKey });

let sent = 0;
async function run(): Promise<void> {
  while (sent++ < REQUESTS) await connection.request('getBlock', { id }, { timeoutMs: 60_000 });
}
const before = process.cpuUsage();
const started = performance.now();
await Promise.all(Array.from({ length: IN_FLIGHT }, run));
const { user, system } = process.cpuUsage(before);
const cpuSeconds = (user + system) / 1e6;
console.log(
  JSON.stringify({
    requests_per_s: Math.round((REQUESTS / (performance.now() - started)) * 1000),
    requests_per_cpu_s: Math.round(REQUESTS / cpuSeconds),
    mb_per_cpu_s: Math.round((REQUESTS * BLOCK_BYTES) / 1e6 / cpuSeconds),
  }),
);
connection.close();
await listener.close();
