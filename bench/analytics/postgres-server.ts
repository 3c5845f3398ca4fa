import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { BenchError } from '../common/bench-error.ts';

const run = promisify(execFile);
const MAX_OUTPUT = 64 * 2 ** 20;
/** Programs of PostgreSQL 15, as Debian installs them. */
const PROGRAMS = process.env.POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin';

/** Memory for pages and sorts as on a server of the peer; no log of writes, since loading is not measured. */
const SETTINGS = {
  listen_addresses: '',
  shared_buffers: '2GB',
  effective_cache_size: '8GB',
  work_mem: '256MB',
  maintenance_work_mem: '512MB',
  max_parallel_workers_per_gather: '2',
  fsync: 'off',
  timezone: 'UTC',
  max_wal_size: '8GB',
};

/** Programs refuse to run as root: then they run as the user that Debian's package makes. */
interface Runner {
  readonly uid?: number;
  readonly gid?: number;
}

/** A PostgreSQL server of its own folder, which listens on a socket in it. */
export interface PostgresServer {
  /** Runs a script of `psql`; resolves with its output. */
  run(script: string): Promise<string>;
  /** Fills a table with rows in PostgreSQL's text form. */
  copy(table: string, rows: Readable): Promise<void>;
  stop(): Promise<void>;
}

/** True if PostgreSQL 15 is installed. */
export function hasPostgres(): boolean {
  return existsSync(join(PROGRAMS, 'initdb'));
}

/** Starts a new server below a folder. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const runner = findRunner();
  const directory = join(folder, 'postgres');
  mkdirSync(directory);
  if (runner.uid !== undefined && runner.gid !== undefined) {
    chownSync(folder, runner.uid, runner.gid);
    chownSync(directory, runner.uid, runner.gid);
  }
  const data = join(directory, 'data');
  await run(
    join(PROGRAMS, 'initdb'),
    ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    runner,
  );
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const options = ['-D', data, '-k', directory, ...settings];
  const server = spawn(join(PROGRAMS, 'postgres'), options, { ...runner, stdio: 'ignore' });
  const psql = [
    '-h',
    directory,
    '-U',
    'bench',
    '-d',
    'postgres',
    '-X',
    '-q',
    '-A',
    '-t',
    '-v',
    'ON_ERROR_STOP=1',
  ];
  await waitUntilReady(directory);
  return {
    async run(script) {
      const asked = run(join(PROGRAMS, 'psql'), psql, { maxBuffer: MAX_OUTPUT });
      asked.child.stdin?.end(script);
      return (await asked).stdout;
    },
    async copy(table, rows) {
      const child = spawn(join(PROGRAMS, 'psql'), [...psql, '-c', `COPY ${table} FROM STDIN`], {
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      const [[code]] = await Promise.all([once(child, 'exit'), pipeline(rows, child.stdin)]);
      if (code !== 0) throw new BenchError(`COPY ${table} ended with code ${code}`);
    },
    async stop() {
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
    },
  };
}

function findRunner(): Runner {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
  return { uid: uid as number, gid: gid as number };
}

const START_MS = 60_000;

async function waitUntilReady(directory: string): Promise<void> {
  for (const end = Date.now() + START_MS; ; ) {
    try {
      await run(join(PROGRAMS, 'pg_isready'), ['-h', directory]);
      return;
    } catch (error) {
      if (Date.now() > end) throw new BenchError(`PostgreSQL did not start: ${(error as Error).message}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
