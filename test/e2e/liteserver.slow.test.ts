import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LiteConnection } from '../../src/liteapi/lite-connection.ts';
import { fromTl } from '../../src/liteserver/tl-values.ts';
import { checkAccount } from '../../src/ton/proofs/check-account.ts';
import { startUp } from '../helpers/started-up.ts';

const MASTERCHAIN = { workchain: -1, shard: -(1n << 63n) };
const REQUEST = { timeoutMs: 60_000 };

/** Connects with the file that the server writes for clients. */
async function connect(data: string) {
  const text = readFileSync(join(data, 'liteserver/global.config.json'), 'utf8');
  const [{ port, id }] = JSON.parse(text).liteservers;
  const key = Buffer.from(id.key, 'base64');
  return { key, client: await LiteConnection.open({ host: '127.0.0.1', port, key }, REQUEST) };
}

/** Reads the account 33…33 with its proofs at the head. Returns the head. */
async function readAccount(client: LiteConnection) {
  const address = Buffer.alloc(32, 0x33);
  const { last } = await client.request('getMasterchainInfo', {}, REQUEST);
  const answer = await client.request(
    'getAccountState',
    { id: last, account: { workchain: -1, id: address } },
    REQUEST,
  );
  const account = checkAccount({
    id: fromTl(last),
    shardBlock: fromTl(answer.shardblk),
    account: { workchain: -1, address },
    shardProof: answer.shard_proof,
    proof: answer.proof,
    state: answer.state,
  });
  expect(account).not.toBeNull();
  return last;
}

it('up --liteserver-port serves a local chain, and after a restart also its earlier blocks', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-liteserver-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const data = join(directory, 'data');
  const args = ['--data', data, '--liteserver-port', '0', '--fast', '--traffic', '20'];
  const first = await startUp(args);
  const before = await connect(data);
  await before.client.request('getTime', {}, { ...REQUEST, wait: { seqno: 3, timeoutMs: 15_000 } });
  const early = await readAccount(before.client);
  before.client.close();
  await first.stop();

  const second = await startUp(args);
  const after = await connect(data);
  expect(after.key).toEqual(before.key);
  const wait = { seqno: early.seqno + 2, timeoutMs: 15_000 };
  await after.client.request('getTime', {}, { ...REQUEST, wait });
  const late = await readAccount(after.client);
  expect(late.seqno).toBeGreaterThan(early.seqno);
  // Earlier blocks come from the index, which may still lack the last ones of the log.
  await expect.poll(async () => (await second.range())?.last).toBeGreaterThanOrEqual(early.seqno);
  const found = await after.client.request(
    'lookupBlock',
    { mode: 1, id: { ...MASTERCHAIN, seqno: early.seqno } },
    REQUEST,
  );
  expect(Buffer.from(found.id.root_hash)).toEqual(Buffer.from(early.root_hash));
  const metrics = await (await fetch(`${second.url}/metrics`)).text();
  expect(metrics).toContain('tonhouse_liteserver_answers_total{function="getAccountState",result="ok"} 1');
  after.client.close();
  await second.stop();
}, 300_000);
