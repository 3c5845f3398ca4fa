/** Clients of analysts, as their users install them. A client that cannot be installed is skipped by name. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { pollFor } from '../../../src/platform/retry/poll.ts';
import { installPython } from '../../helpers/python-packages.ts';
import { startUp } from '../../helpers/started-up.ts';

const run = promisify(execFile);
const here = (name: string) => join(import.meta.dirname, name);
const directory = mkdtempSync(join(tmpdir(), 'tonhouse-sql-clients-'));
const folder = (name: string) => join(directory, name);
/** The driver, and what it logs with. */
const JARS = [
  'com.clickhouse:clickhouse-jdbc:0.9.4:jar:all',
  'org.slf4j:slf4j-nop:2.0.17',
  'org.slf4j:slf4j-api:2.0.17',
];
const PYTHON = ['clickhouse-connect[sqlalchemy]', 'duckdb', 'pandas', 'pyarrow'];

let up: Awaited<ReturnType<typeof startUp>>;
let port: string;
let python: string | null;

beforeAll(async () => {
  const programs = await installPython(folder('python'), PYTHON);
  python = programs && join(programs, 'python');
  up = await startUp(['--data', folder('data'), '--traffic', '20', '--block-ms', '2000', '--sql-port', '0']);
  port = /"sql":"http:[^"]+:(\d+)"/.exec(up.text.stdout + up.text.stderr)?.[1] ?? '';
  const sql = "SELECT count() FROM jetton_events WHERE type = 'transfer'";
  const isIndexed = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/?query=${encodeURIComponent(sql)}`);
    return Number(await answer.text()) > 0;
  };
  expect(await pollFor(isIndexed, 240_000, { everyMs: 500 })).toBe(true);
  await up.setTraffic(0);
}, 600_000);
afterAll(async () => {
  await up?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a script, if its packages are installed. */
async function runPython(context: TestContext, script: string, ...args: string[]): Promise<void> {
  if (python === null) return context.skip(`${PYTHON.join(', ')} cannot be installed`);
  await run(python, [here(script), port, ...args]);
}

it('clickhouse-connect, pandas, Arrow and DuckDB read decimals, dates and text', (context) =>
  runPython(context, 'pandas_duckdb.py', folder('blocks.parquet')));

it("Superset's driver finds tables and columns, and reads the values of a chart", (context) =>
  runPython(context, 'superset_driver.py'));

it("ClickHouse's JDBC driver, which DBeaver uses, finds tables and columns, and reads values", async (context) => {
  const jars = folder('jars');
  const copy = (artifact: string) =>
    run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${jars}`], {
      cwd: directory,
    });
  try {
    for (const artifact of JARS) await copy(artifact);
  } catch {
    return context.skip(`${JARS.join(', ')} cannot be installed`);
  }
  const { stdout } = await run('java', ['-cp', join(jars, '*'), here('Jdbc.java'), port]);
  expect(stdout.trim().split('\n').at(-1)).toBe('ok');
});

it("Grafana's driver pings, finds tables, and reads the values of a panel", async (context) => {
  cpSync(here('grafana-driver'), folder('grafana'), { recursive: true });
  const built = await run('go', ['build', '-o', 'client', '.'], { cwd: folder('grafana') }).then(
    () => null,
    (error: Error) => error.message,
  );
  if (built !== null) return context.skip(`clickhouse-go cannot be installed: ${built}`);
  const { stdout } = await run(join(folder('grafana'), 'client'), [`127.0.0.1:${port}`]);
  expect(stdout.trim()).toBe('ok');
});
