import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_FAILED_LOGINS } from '../../src/api/sql/failed-logins.ts';
import { pollFor } from '../../src/platform/retry/poll.ts';
import { readLakeColumns } from '../helpers/lake-columns.ts';
import { runCli } from '../helpers/run-cli.ts';
import { startUp } from '../helpers/started-up.ts';

/** Columns after those of the lake. */
const ADDED = ['block_time', 'block_date'];

const directory = mkdtempSync(join(tmpdir(), 'tonhouse-sql-'));
let up: Awaited<ReturnType<typeof startUp>>;
let port: string;

beforeAll(async () => {
  up = await startUp(['--data', directory, '--traffic', '5', '--sql-port', '0']);
  const sql = /"sql":"(http:[^"]+)"/.exec(up.text.stdout + up.text.stderr)?.[1];
  if (!sql) throw new Error('the SQL port was not announced');
  port = sql;
  // A view appears when all its projections are served.
  const isIndexed = async () =>
    Number(
      await rows('SELECT (SELECT count() FROM jetton_events) + 0 * count() FROM nft_events').catch(() => 0),
    ) > 0;
  if (!(await pollFor(isIndexed, 120_000, { everyMs: 500 })))
    throw new Error('no jetton moved in two minutes');
}, 240_000);
afterAll(async () => {
  await up?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const post = (sql: string, init: RequestInit = {}, query = '') =>
  fetch(`${port}/${query}`, { method: 'POST', body: sql, ...init });
async function rows(sql: string): Promise<string> {
  const answer = await post(sql);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text.trim();
}

describe('tables', () => {
  const documented = readLakeColumns(readFileSync('docs/contract/data-lake.md', 'utf8'));

  it('have the columns of data-lake.md in its order, null where it says so', async () => {
    for (const [table, columns] of documented) {
      const text = await rows(
        `SELECT name, type FROM system.columns WHERE database = 'ton' AND table = '${table}' ORDER BY position`,
      );
      const found = text.split('\n').map((line) => line.split('\t') as [string, string]);
      const names = columns.map(({ name }) => name);
      const after = found.map(([name]) => name).slice(names.length);
      expect([table, ...found.map(([name]) => name).slice(0, names.length)]).toEqual([table, ...names]);
      expect([table, ...after.slice(0, 2)]).toEqual([table, ...ADDED]);
      for (const { name, isOptional, type } of columns) {
        const [, is = ''] = found.find(([one]) => one === name) ?? [];
        if (isOptional) expect(`${table}.${name} ${is}`).toMatch(/Nullable|\bString$/);
        if (type !== null) expect(`${table}.${name} ${is}`).toContain(type);
      }
    }
  });

  it('and columns have comments', async () => {
    expect(await rows("SELECT count() FROM system.columns WHERE database = 'ton' AND comment = ''")).toBe(
      '0',
    );
    expect(await rows("SELECT count() FROM system.tables WHERE database = 'ton' AND comment = ''")).toBe('0');
  });

  it('can all be read', async () => {
    const names = (await rows("SELECT name FROM system.tables WHERE database = 'ton'")).split('\n');
    expect(names.length).toBeGreaterThan(25);
    for (const name of names) await rows(`SELECT * FROM ton.${name} LIMIT 10 FORMAT Null`);
    for (const name of [
      'messages',
      'transactions',
      'blocks',
      'accounts',
      'traces',
      'opcodes',
      'latest_balances',
    ])
      expect([name, await rows(`SELECT count() FROM ${name}`)]).not.toEqual([name, '0']);
  });

  it('agree with each other', async () => {
    const wrong = `SELECT countIf(m.source IS NULL AND m.direction = 'in' AND m.value IS NOT NULL), countIf(m.block_date != toDate(fromUnixTimestamp(m.tx_now)))
       FROM messages AS m`;
    expect(await rows(wrong)).toBe('0\t0');
    // The head moves: the traces of the newest transactions may not be visible yet.
    const unknown = `SELECT count() FROM transactions AS t LEFT JOIN traces AS r ON r.trace_id = t.trace_id
       WHERE t.trace_id IS NOT NULL AND r.trace_id IS NULL AND t.mc_block_seqno <= (SELECT max(mc_seqno_end) FROM traces)`;
    expect(await rows(unknown)).toBe('0');
    const comments = await rows(
      "SELECT DISTINCT comment FROM messages WHERE comment IS NOT NULL AND comment != ''",
    );
    const isKnown = (comment: string) =>
      ['rent', 'coffee', 'thanks!', 'invoice 2041', 'Привет'].includes(comment);
    expect(comments.split('\n').some(isKnown), comments).toBe(true);
  });
});

/** Names of errors by which the store refuses what an analyst may not do. */
const REFUSED =
  /\((ACCESS_DENIED|READONLY|SETTING_CONSTRAINT_VIOLATION|SUPPORT_IS_DISABLED|CANNOT_EXTRACT_TABLE_STRUCTURE)\)/;

describe('the analyst', () => {
  it.each([
    'INSERT INTO ton.blocks SELECT * FROM ton.blocks',
    'DROP VIEW ton.blocks',
    'ALTER TABLE ton.blocks DELETE WHERE 1',
    'CREATE TABLE ton.mine (a UInt8) ENGINE = Memory',
    'CREATE TEMPORARY TABLE mine (a UInt8)',
    'SELECT * FROM localnet.identity',
    'SELECT * FROM localnet_base_v1.blocks',
    'SELECT * FROM secrets_localnet.api_keys',
    'SELECT * FROM system.users',
    'SELECT * FROM system.processes',
    'SELECT * FROM system.dictionaries',
    'SHOW CREATE DICTIONARY localnet.lake_states_v1',
    "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')",
    "SELECT * FROM file('x.csv', 'CSV', 'a String')",
    "SELECT file('/proc/self/environ')",
    'SELECT "\\x66ile"(\'/proc/self/environ\')',
    "SELECT * APPLY(file) FROM (SELECT '/proc/self/environ')",
    "SELECT arrayMap(FILE, ['/proc/self/environ'])",
    "SELECT * FROM remote('127.0.0.1:9000', 'system', 'one')",
    "SELECT * FROM s3('http://127.0.0.1:1/bucket/a', 'CSV', 'a String')",
    "SELECT * FROM executable('x', 'TSV', 'a String')",
    "SELECT * FROM dictionary('localnet.lake_states_v1')",
    "SELECT dictGet('localnet.lake_states_v1', 'balance', ('a', 0::Int32, 1::UInt64))",
    "SELECT * FROM merge('localnet', '.*')",
    'SELECT 1 SETTINGS readonly = 0',
    'SELECT 1 SETTINGS max_execution_time = 0',
    'SELECT 1 SETTINGS max_memory_usage = 0',
    'SELECT 1 SETTINGS max_result_rows = 0',
    'SELECT 1 SETTINGS max_concurrent_queries_for_user = 1000',
    'KILL QUERY WHERE 1',
    'SYSTEM SHUTDOWN',
    'SET readonly = 0',
    'CREATE FUNCTION mine AS (x) -> x',
    'GRANT SELECT ON *.* TO tonhouse_analyst',
    'EXECUTE AS tonhouse SELECT 1',
  ])('may not: %s', async (sql) => {
    const answer = await post(sql);
    const text = await answer.text();
    // The store refuses it by its rights, settings or grammar; an endpoint that is away refuses everything.
    expect([answer.ok, text]).toEqual([false, expect.stringMatching(REFUSED)]);
  });

  it('may not hide the name of a function in parts of the request, or in a compressed body', async () => {
    const parts = await post("le('/proc/self/environ')", {}, '?query=SELECT%20fi');
    expect([parts.status, await parts.text()]).toEqual([403, expect.stringContaining('ACCESS_DENIED')]);
    const form = new FormData();
    form.set('query', "SELECT file('/proc/self/environ')");
    expect((await fetch(`${port}/`, { method: 'POST', body: form })).status).toBe(403);
    const compressed = await post('SELECT 1', { headers: { 'content-encoding': 'gzip' } });
    expect([compressed.status, await compressed.text()]).toEqual([
      400,
      expect.stringContaining('compressed'),
    ]);
    // Words and columns that only contain it are fine.
    expect(await rows("SELECT count() > 0 FROM blocks WHERE file_hash != 'profile'")).toBe('1');
  });

  it('may change settings of answers and ask for less', async () => {
    expect(await rows('SELECT 1 SETTINGS join_use_nulls = 0, prefer_column_name_to_alias = 0')).toBe('1');
    expect(await rows('SELECT 1 SETTINGS max_execution_time = 5, max_result_rows = 10')).toBe('1');
    expect(await rows("SELECT getSetting('join_use_nulls'), getSetting('prefer_column_name_to_alias')")).toBe(
      'true\ttrue',
    );
  });

  it('is not another user by any parameter of the address', async () => {
    for (const query of ['?user=tonhouse', '?role=x', '?session_id=a', '?quota_key=b']) {
      const answer = await post('SELECT currentUser()', {}, query);
      expect([200, 401]).toContain(answer.status);
      if (answer.ok) expect((await answer.text()).trim()).toBe('tonhouse_analyst');
    }
  });

  it('has the functions of other engines, in lower and upper case', async () => {
    const friendly = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
    const raw = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8';
    expect(
      await rows(
        `SELECT ton_address_raw_to_user_friendly('${raw}'), TON_ADDRESS_USER_FRIENDLY_TO_RAW('${friendly}')`,
      ),
    ).toBe(`${friendly}\t${raw}`);
    expect(
      await rows(
        "SELECT regexp_like('abc', 'b'), TO_HEX('A'), from_hex('41'), varbinary_to_uint256(unhex('0100')), array_position([1, 2], 2)",
      ),
    ).toBe('1\t41\tA\t256\t2');
    expect(
      await rows(
        'SELECT bitwise_right_shift(256, 4), json_extract_scalar(\'{"a":"x"}\', \'$.a\'), COUNT_IF(1), approx_distinct(1), array_union([1], [2])',
      ),
    ).toBe('16\tx\t1\t1\t[1,2]');
  });
});

describe('the endpoint', () => {
  it('answers under /sql of the API too', async () => {
    const answer = await fetch(`${up.url}/sql?query=SELECT+1`);
    expect([answer.status, await answer.text()]).toEqual([200, '1\n']);
    expect((await fetch(`${up.url}/sql/ping`)).status).toBe(200);
  });

  it('refuses a wrong password in the words of ClickHouse', async () => {
    const wrong = { headers: { authorization: `Basic ${btoa('analyst:wrong')}` } };
    const answer = await post('SELECT 1', wrong);
    expect([answer.status, answer.headers.get('x-clickhouse-exception-code')]).toEqual([401, '516']);
    expect(await answer.text()).toContain('AUTHENTICATION_FAILED');
  });

  it('refuses pages of other origins and large bodies', async () => {
    const foreign = await post('SELECT 1', { headers: { origin: 'https://other.example' } });
    expect(foreign.status).toBe(403);
    const large = await post(`SELECT 1 -- ${'x'.repeat(2 ** 21)}`).catch(() => null);
    if (large) expect(large.status).toBe(413);
  });

  it('streams a large answer, and ends the statement of a client that goes', async () => {
    const endless =
      'SELECT a.hash, b.hash, c.hash FROM transactions AS a, transactions AS b, transactions AS c';
    const leave = async () => {
      const abort = new AbortController();
      const begun: Response[] = [];
      const begin = async () => {
        const answer = await post(endless, { signal: abort.signal });
        if (answer.ok) begun.push(answer);
        return answer.ok;
      };
      expect(await pollFor(begin, 30_000, { everyMs: 100 })).toBe(true);
      expect((await begun[0]!.body!.getReader().read()).value?.length).toBeGreaterThan(0);
      abort.abort();
    };
    // A caller runs 6 statements at the same time and the store 16: those of the rounds before must have ended.
    for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 5 }, leave));
  }, 180_000);

  it('returns types that tools know', async () => {
    const answer = await post(
      'SELECT amount, block_date, block_time, source FROM jetton_events LIMIT 1 FORMAT JSONCompact',
    );
    const { meta } = (await answer.json()) as { meta: { type: string }[] };
    expect(meta.map(({ type }) => type)).toEqual([
      'Nullable(Decimal(38, 0))',
      'Date',
      "DateTime('UTC')",
      'Nullable(String)',
    ]);
  });

  it('has named users', async () => {
    const added = await runCli(['sql-users', 'add', 'alice', '--data', directory]);
    const login = { headers: { 'x-clickhouse-user': 'alice', 'x-clickhouse-key': added.stdout.trim() } };
    // Attempts before the server knows the user count as failed logins: few are made.
    const rarely = { interval: 5_000, timeout: 120_000 };
    await expect.poll(async () => (await post('SELECT 1', login)).status, rarely).toBe(200);
    expect((await runCli(['sql-users', 'list', '--data', directory, '--json'])).stdout).toContain('"alice"');
    const wrong = { headers: { 'x-clickhouse-user': 'alice', 'x-clickhouse-key': 'wrong' } };
    expect((await post('SELECT 1', wrong)).status).toBe(401);
    await runCli(['sql-users', 'remove', 'alice', '--data', directory]);
    await expect.poll(async () => (await post('SELECT 1', login)).status, { timeout: 20_000 }).toBe(401);
  });

  // The last test: this address may not log in for a minute.
  it('limits failed logins of an address on both ports together', async () => {
    const wrong = { headers: { authorization: `Basic ${btoa('analyst:wrong')}` } };
    const answers = Array.from({ length: MAX_FAILED_LOGINS }, (_, i) =>
      i % 2 ? post('SELECT 1', wrong) : fetch(`${up.url}/sql?query=SELECT+1`, wrong),
    );
    await Promise.all(answers);
    for (const answer of [
      await post('SELECT 1', wrong),
      await fetch(`${up.url}/sql?query=SELECT+1`, wrong),
    ]) {
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.text()).toMatch(/Too many failed logins from 127\.0\.0\.1: retry in \d+ seconds/);
    }
    // Without a password there is nothing to guess.
    expect((await post('SELECT 1')).status).toBe(200);
  });
});
