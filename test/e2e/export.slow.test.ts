/** `tonhouse export` beside a running local chain. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/api/export/manifest.ts';
import { pollFor } from '../../src/platform/retry/poll.ts';
import { installPython } from '../helpers/python-packages.ts';
import { runCli, startCli } from '../helpers/run-cli.ts';
import { startUp } from '../helpers/started-up.ts';

const root = mkdtempSync(join(tmpdir(), 'tonhouse-export-'));
const data = join(root, 'data');
const lake = join(root, 'lake');
let up: Awaited<ReturnType<typeof startUp>>;
let sql: string;
let python: Promise<string | null>;

const ask = async (statement: string) => {
  const answer = await fetch(sql, { method: 'POST', body: statement });
  return (await answer.text()).trim();
};
const run = (...args: string[]) => runCli(['export', ...args, '--data', data]);
const manifestOf = (table: string) =>
  JSON.parse(readFileSync(join(lake, table, '_manifest.json'), 'utf8')) as Manifest;

beforeAll(async () => {
  python = installPython(join(root, 'python'), ['duckdb', 'pandas']);
  up = await startUp(['--data', data, '--traffic', '20', '--block-ms', '2000', '--sql-port', '0']);
  sql = /"sql":"(http:[^"]+)"/.exec(up.text.stdout + up.text.stderr)?.[1] ?? '';
  await pollFor(async () => Number(await ask('SELECT count() FROM jetton_events')) > 0, 240_000, {
    everyMs: 500,
  });
  await runCli(['localnet', 'warp', '172800', '--data', data]);
  await pollFor(async () => Number(await ask('SELECT uniq(block_date) FROM transactions')) > 1, 240_000, {
    everyMs: 500,
  });
  await up.setTraffic(0);
}, 600_000);
afterAll(async () => {
  await up?.stop();
  rmSync(root, { recursive: true, force: true });
});

describe('an export to a folder', () => {
  it.each(['transactions', 'messages', 'jetton_events'])(
    'has the rows of %s by day, and their checksums',
    async (table) => {
      // The first day is complete when the slowest projection of the table has passed it.
      const isPassed = async () => {
        const { code, stderr } = await run(table, '--out', lake);
        expect([code, stderr.includes('Error')]).toEqual([0, false]);
        return manifestOf(table).files[0]!.is_complete;
      };
      expect(await pollFor(isPassed, 240_000, { everyMs: 500 })).toBe(true);
      const { files } = manifestOf(table);
      const first = files[0]!;
      expect(String(first.rows)).toBe(
        await ask(`SELECT count() FROM ${table} WHERE block_date = '${first.block_date}'`),
      );
      for (const { path, sha256, bytes } of files) {
        const content = readFileSync(join(lake, table, path));
        expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
        expect(content.subarray(0, 4).toString()).toBe('PAR1');
      }
    },
  );

  it('keeps complete days, and repairs a damaged file', async () => {
    const before = manifestOf('transactions').files[0]!;
    const again = JSON.parse((await run('transactions', '--out', lake, '--json')).stdout) as { kept: number };
    expect(again.kept).toBeGreaterThan(0);
    const path = join(lake, 'transactions', before.path);
    appendFileSync(path, 'x');
    await run('transactions', '--out', lake);
    expect(readFileSync(path)).toHaveLength(manifestOf('transactions').files[0]!.bytes);
  });

  it('refuses a folder with other columns', async () => {
    const { code, stderr } = await run('transactions', '--out', lake, '--columns', 'hash');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/has another export: expected .*"hash"/)]);
  });

  it('writes current states to one file without days', async () => {
    expect((await run('accounts', '--out', lake)).code).toBe(0);
    expect(manifestOf('accounts').files).toEqual([
      expect.objectContaining({ path: 'part-0.parquet', block_date: null }),
    ]);
    const { code, stderr } = await run('accounts', '--out', lake, '--from', '2026-11-28');
    expect([code, stderr]).toEqual([2, expect.stringContaining('current states only')]);
  });

  it('--follow writes the days that are over, and ends with 0', async () => {
    const folder = join(root, 'followed');
    const follow = startCli(['export', 'blocks', '--out', folder, '--follow', '--json', '--data', data]);
    const isWritten = () => follow.text.stdout.includes('"written"');
    await pollFor(async () => isWritten() || follow.child.exitCode !== null, 240_000, { everyMs: 200 });
    follow.child.kill('SIGTERM');
    expect((await follow.ended).code).toBe(0);
    const { files } = JSON.parse(readFileSync(join(folder, 'blocks', '_manifest.json'), 'utf8')) as Manifest;
    expect(files.map((file) => file.is_complete)).not.toContain(false);
    const today = await ask('SELECT max(block_date) FROM blocks');
    expect(existsSync(join(folder, 'blocks', `block_date=${today}`))).toBe(false);
  });
});

/** Rows that DuckDB returns for a statement; null if it cannot be installed. */
async function askDuckdb(statement: string): Promise<readonly Record<string, unknown>[] | null> {
  const programs = await python;
  if (programs === null) return null;
  const script = 'import duckdb, sys; print(duckdb.sql(sys.argv[1]).df().to_json(orient="records"))';
  const { stdout } = await promisify(execFile)(join(programs, 'python'), ['-c', script, statement], {
    cwd: root,
  });
  return JSON.parse(stdout) as Record<string, unknown>[];
}

describe('readers of the files', () => {
  const page = readFileSync('docs/analytics.md', 'utf8');

  it('DuckDB reads them with the line of docs/analytics.md', async (context) => {
    const [line = ''] = /^SELECT .*read_parquet\('lake\/.*$/m.exec(page) ?? [];
    const found = await askDuckdb(line);
    if (found === null) return context.skip('duckdb and pandas cannot be installed');
    const rows = found.reduce((sum, row) => sum + Number(row['count_star()']), 0);
    const { files } = manifestOf('transactions');
    expect([found.length, rows]).toEqual([files.length, files.reduce((sum, file) => sum + file.rows, 0)]);
  });

  it('Athena finds the types of its statement in docs/analytics.md', async (context) => {
    const [, columns = ''] = /CREATE EXTERNAL TABLE jetton_events \(([^;]*?)\n\)/.exec(page) ?? [];
    const declared = [...columns.matchAll(/(\w+) (\w+(?:\(\d+,\d+\))?)(?=,|\n|$)/g)].map(
      ([, ...pair]) => pair,
    );
    const file = join('lake', 'jetton_events', manifestOf('jetton_events').files[0]!.path);
    const found = await askDuckdb(`SELECT * FROM parquet_schema('${file}') WHERE num_children IS NULL`);
    if (found === null) return context.skip('duckdb and pandas cannot be installed');
    expect(found.map((column) => [column.name, toAthena(column)])).toEqual(declared);
  });
});

/** Type in which Athena reads a column of Parquet. It refuses another. */
function toAthena({ type, converted_type, logical_type, precision, scale }: Record<string, unknown>): string {
  if (converted_type === 'DECIMAL') return `decimal(${precision},${scale})`;
  if (/TIMESTAMP/i.test(`${converted_type} ${logical_type}`)) return 'timestamp';
  const plain: Record<string, string> = {
    INT32: 'int',
    INT64: 'bigint',
    BOOLEAN: 'boolean',
    BYTE_ARRAY: 'string',
  };
  return plain[String(type)] ?? String(type);
}

describe('an export to one file', () => {
  it('has the rows of an account, in the format of its name', async () => {
    const account = await ask(
      "SELECT any(source) FROM messages WHERE source IS NOT NULL AND direction = 'in'",
    );
    const file = join(root, 'messages.csv');
    const { code } = await run(
      'messages',
      '--account',
      account,
      '--columns',
      'source,destination',
      '--out',
      file,
    );
    expect(code).toBe(0);
    const [header, ...rows] = readFileSync(file, 'utf8').trim().split('\n');
    expect(header).toBe('"source","destination"');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => !row.includes(account))).toEqual([]);
  });

  it('goes to stdout with -', async () => {
    const { stdout } = await run('exit_codes', '--out', '-', '--format', 'ndjson');
    expect(JSON.parse(stdout.split('\n')[0]!)).toHaveProperty('meaning');
  });

  it('names the table that was meant', async () => {
    const { code, stderr } = await run('block', '--out', '-');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Do you mean blocks?')]);
  });
});
