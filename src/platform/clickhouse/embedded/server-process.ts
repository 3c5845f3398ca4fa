/**
 * The process that is the embedded ClickHouse server: `node server-process.ts DIRECTORY MEMORY_LIMIT_BYTES LAKE_DATABASE`,
 * with the place of the cold volume as JSON, or nothing, from descriptor 3: other users can read arguments, and statements the environment.
 * Takes the directory's lock, writes the configuration and the state file, and hands its main thread to the engine.
 * Ends with LOCKED_EXIT_CODE where another process holds the directory, with 0 when the engine has shut down.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { certificatesFile } from './certificates.ts';
import type { ColdPlace } from './cold-place.ts';
import { fenceFiles } from './file-fence.ts';
import { undoMoves } from './held-parts.ts';
import { loadLibrary, runCommandLine } from './library.ts';
import { configurationFiles, writeServerConfig } from './server-config.ts';
import { KEEP_ALIVE_QUERY, LOCKED_EXIT_CODE, PLACE_DESCRIPTOR, STORE_USER } from './server-constants.ts';
import { takeServerLock } from './server-lock.ts';
import { readServerState, writeServerState } from './server-state.ts';
import { deleteTornJoins } from './torn-joins.ts';

/** The port if it can be listened on, else null; 0 asks for any. */
async function listenable(port: number): Promise<number | null> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address === null || typeof address === 'string' ? null : address.port;
}

interface Access {
  readonly httpPort: number;
  readonly password: string;
  readonly readPassword: string;
  readonly analystPassword: string;
}

const newPassword = () => randomBytes(18).toString('base64url');

/**
 * Reuses port and passwords of the previous server if the port is free: clients of a crashed server find its successor
 * at the same address.
 */
async function chooseAccess(directory: string): Promise<Access> {
  const before = readServerState(directory);
  const port = before ? await listenable(Number(new URL(before.url).port)) : null;
  const httpPort = port ?? (await listenable(0));
  if (httpPort === null) throw new Error('no free port on 127.0.0.1');
  return {
    httpPort,
    password: before?.password ?? newPassword(),
    readPassword: before?.readPassword ?? newPassword(),
    // A server of an older release had no analyst.
    analystPassword: before?.analystPassword ?? newPassword(),
  };
}

/** Files that the engine and the C library read: the machine, this process, names of hosts, time zones. */
const ENGINE_READS = [
  ...[
    'self',
    'cpuinfo',
    'diskstats',
    'filesystems',
    'loadavg',
    'meminfo',
    'stat',
    'sys',
    'uptime',
    'vmstat',
  ].map((name) => `/proc/${name}`),
  ...['/sys', '/dev/random', '/dev/urandom', '/usr/share/zoneinfo'],
  ...['host.conf', 'hosts', 'localtime', 'nsswitch.conf', 'resolv.conf', 'timezone'].map(
    (name) => `/etc/${name}`,
  ),
];

async function run(
  directory: string,
  memoryLimitBytes: number,
  lakeDatabase: string,
  cold: ColdPlace | undefined,
): Promise<void> {
  const worker = new Worker(new URL('./owner-watch.ts', import.meta.url));
  await once(worker, 'message');
  if (!takeServerLock(directory)) process.exit(LOCKED_EXIT_CODE);
  await undoMoves(directory);

  const access = await chooseAccess(directory);
  const user = STORE_USER;
  const cores = availableParallelism();
  const limits = { memoryLimitBytes, cores };
  const config = writeServerConfig({ directory, ...access, user, ...limits, lakeDatabase, cold });
  for (const path of deleteTornJoins(directory))
    appendFileSync(
      join(directory, 'log', 'error.log'),
      `deleted before the start: ${path}, of which a power cut left a part\n`,
    );
  writeServerState({
    directory,
    pid: process.pid,
    ownerPid: process.ppid,
    url: `http://127.0.0.1:${access.httpPort}`,
    user,
    password: access.password,
    readPassword: access.readPassword,
    analystPassword: access.analystPassword,
    lakeDatabase,
    startedAt: new Date().toISOString(),
  });
  loadLibrary();
  // In local mode the scalar function file() reads whatever the process may, and asks for no right.
  fenceFiles({
    read: [...ENGINE_READS, ...configurationFiles(directory), certificatesFile(directory)],
    write: [join(directory, 'data'), '/dev/null', ...(cold && 'folder' in cold ? [cold.folder] : [])],
    append: [join(directory, 'log')],
  });
  runCommandLine([
    `--config-file=${config}`,
    `--path=${directory}/data/`,
    '--log-level=warning',
    // The ports of the configuration open on request; the second query keeps the engine inside this call.
    '--query',
    `SYSTEM START LISTEN HTTP; ${KEEP_ALIVE_QUERY}`,
  ]);
  process.exit(0);
}

const [directory, memoryLimitBytes, lakeDatabase] = process.argv.slice(2);
if (!directory || !memoryLimitBytes || !lakeDatabase)
  throw new Error('usage: server-process.ts DIRECTORY MEMORY_LIMIT_BYTES LAKE_DATABASE');
const place = readFileSync(PLACE_DESCRIPTOR, 'utf8');
await run(
  directory,
  Number(memoryLimitBytes),
  lakeDatabase,
  place === '' ? undefined : (JSON.parse(place) as ColdPlace),
);
