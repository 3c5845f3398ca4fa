/** `tonhouse export --out s3://…` with an S3 server that checks signatures. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/api/export/manifest.ts';
import { pollFor } from '../../src/platform/retry/poll.ts';
import { runCli, startCli } from '../helpers/run-cli.ts';
import { type S3Server, s3Program, startS3Server } from '../helpers/s3-server.ts';
import { signedGet } from '../helpers/signed-get.ts';
import { startUp } from '../helpers/started-up.ts';

const root = mkdtempSync(join(tmpdir(), 'tonhouse-export-s3-'));
const data = join(root, 'data');
let up: Awaited<ReturnType<typeof startUp>>;
let sql: string;
let s3: S3Server | null = null;

const ask = async (statement: string) => {
  const answer = await fetch(sql, { method: 'POST', body: statement });
  return (await answer.text()).trim();
};
const withLogin = (more: Record<string, string> = {}) => ({ ...s3!.environment, ...more });
const run = (args: readonly string[], more?: Record<string, string>) =>
  runCli(['export', ...args, '--data', data], withLogin(more));
const get = (key: string) => signedGet(`${s3!.url}/lake/${key}`, s3!.environment);
const manifestOf = async (prefix: string, table: string) =>
  JSON.parse((await get(`${prefix}/${table}/_manifest.json`)).toString()) as Manifest;

beforeAll(async () => {
  const program = await s3Program(root);
  if (program === null) return;
  s3 = await startS3Server(program);
  up = await startUp(['--data', data, '--traffic', '20', '--block-ms', '2000', '--sql-port', '0']);
  sql = /"sql":"(http:[^"]+)"/.exec(up.text.stdout + up.text.stderr)?.[1] ?? '';
  for (let day = 2; day <= 3; day++) {
    await runCli(['localnet', 'warp', '86400', '--data', data]);
    const isOver = async () => Number(await ask('SELECT uniq(block_date) FROM transactions')) >= day;
    await pollFor(isOver, 240_000, { everyMs: 500 });
  }
  await up.setTraffic(0);
}, 600_000);
afterAll(async () => {
  await up?.stop();
  await s3?.stop();
  rmSync(root, { recursive: true, force: true });
});
beforeEach((context) => {
  if (s3 === null) context.skip('moto, an S3 server in Python, cannot be installed');
  else s3.onRequest = () => undefined;
});

async function checkObjects(prefix: string, table: string): Promise<Manifest> {
  const manifest = await manifestOf(prefix, table);
  for (const { path, sha256, bytes, rows, block_date, is_complete } of manifest.files) {
    const content = await get(`${prefix}/${table}/${path}`);
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
    expect(content.subarray(0, 4).toString()).toBe('PAR1');
    if (is_complete)
      expect(String(rows)).toBe(await ask(`SELECT count() FROM ${table} WHERE block_date = '${block_date}'`));
  }
  return manifest;
}

describe('an export to a bucket', () => {
  it('has the layout of the lake, and a manifest with checksums', async () => {
    const { code, stderr } = await run(['transactions', '--out', 's3://lake/a/b/']);
    expect([code, stderr.includes('Error')]).toEqual([0, false]);
    const { files } = await checkObjects('a/b', 'transactions');
    expect(files.length).toBeGreaterThan(2);
    expect(files[0]?.path).toMatch(/^block_date=\d{4}-\d{2}-\d{2}\/part-0\.parquet$/);
  });

  it('resumes after a kill in the middle', async () => {
    const writing = startCli(
      ['export', 'messages', '--out', 's3://lake/killed', '--data', data],
      withLogin(),
    );
    const puts: string[] = [];
    s3!.onRequest = ({ method, url = '' }) => {
      if (method !== 'PUT' || !url.includes('.parquet')) return;
      puts.push(url);
      if (puts.length === 2) writing.child.kill('SIGKILL');
    };
    await writing.ended;
    expect(puts).toHaveLength(2);
    expect((await manifestOf('killed', 'messages')).files).toHaveLength(1);
    s3!.onRequest = () => undefined;
    const again = await run(['messages', '--out', 's3://lake/killed', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ kept: 1 });
    await checkObjects('killed', 'messages');
  });

  it('writes an object again that another program has removed', async () => {
    const file = (await manifestOf('a/b', 'transactions')).files[0]!;
    expect(file.is_complete).toBe(true);
    await signedGet(`${s3!.url}/lake/a/b/transactions/${file.path}`, s3!.environment, 'DELETE');
    await run(['transactions', '--out', 's3://lake/a/b']);
    const again = (await checkObjects('a/b', 'transactions')).files[0]!;
    expect([again.path, again.rows]).toEqual([file.path, file.rows]);
  });

  it('--follow writes the days that are over, and ends with 0', async () => {
    const args = ['export', 'blocks', '--out', 's3://lake/followed', '--follow', '--json', '--data', data];
    const follow = startCli(args, withLogin());
    const isWritten = () => follow.text.stdout.includes('"written"');
    await pollFor(async () => isWritten() || follow.child.exitCode !== null, 240_000, { everyMs: 200 });
    follow.child.kill('SIGTERM');
    expect((await follow.ended).code).toBe(0);
    const { files } = await manifestOf('followed', 'blocks');
    expect(files.map((file) => file.is_complete)).not.toContain(false);
  });

  it('writes one object in the format of its name', async () => {
    const out = await run(['exit_codes', '--out', 's3://lake/codes.csv', '--json']);
    const { bytes, sha256, rows } = JSON.parse(out.stdout) as { bytes: number; sha256: string; rows: number };
    const content = await get('codes.csv');
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
    expect(content.toString().trim().split('\n')).toHaveLength(rows + 1);
  });
});

describe('a login', () => {
  it.each([
    ['an unknown key', { AWS_ACCESS_KEY_ID: 'AKIAUNKNOWN' }, /the store refused the access key AKIAUNKNOWN/],
    ['a wrong secret', { AWS_SECRET_ACCESS_KEY: 'wrong' }, /the store refused the access key/],
  ])('with %s is refused in plain words', async (_, wrong, text) => {
    const { code, stderr } = await run(['blocks', '--out', 's3://lake/refused'], wrong);
    expect([code, stderr]).toEqual([1, expect.stringMatching(text)]);
  });

  it('that is missing is a wrong use of the command', async () => {
    const { code, stderr } = await run(['blocks', '--out', 's3://lake/x'], { AWS_SECRET_ACCESS_KEY: '' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('found no AWS_SECRET_ACCESS_KEY')]);
  });

  it('cannot make up for a bucket that is not there', async () => {
    const { code, stderr } = await run(['blocks', '--out', 's3://nowhere/x']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('the bucket nowhere does not exist')]);
  });

  it('is in no output, log or report, and analysts cannot read statements', async () => {
    const token = `token-${randomBytes(12).toString('hex')}`;
    const debug = ['--log-level', 'debug'];
    const secrets = [s3!.environment.AWS_SECRET_ACCESS_KEY!, token];
    const fine = await run(['blocks', '--out', 's3://lake/secret', ...debug]);
    // The server does not know the token.
    const refused = await run(['blocks', '--out', 's3://lake/secret', ...debug], {
      AWS_SESSION_TOKEN: token,
    });
    const status = await runCli(['status', '--json', '--data', data], withLogin());
    const logs = join(data, 'clickhouse', 'log');
    const texts = [fine, refused, status].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    const files = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
    for (const text of [...texts, ...files])
      for (const secret of secrets) expect(text.includes(secret)).toBe(false);
    // The embedded server has no query_log.
    for (const table of ['system.processes', 'system.query_log'])
      expect(await ask(`SELECT query FROM ${table}`)).toMatch(/ACCESS_DENIED|UNKNOWN_TABLE/);
  });
});
