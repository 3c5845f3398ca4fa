import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pollFor } from '../../src/platform/retry/poll.ts';

const run = promisify(execFile);
const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/tonhouse-prometheus');

/** A Prometheus that scrapes one server. */
export interface PrometheusServer {
  /** Number of series that an expression has now. */
  countSeries(expr: string): Promise<number>;
  stop(): Promise<void>;
}

/** Programs of Prometheus: installed, or unpacked from the package of the distribution; null if there is neither. */
async function findPrograms(): Promise<string | null> {
  for (const folder of ['/usr/bin', '/usr/local/bin', join(CACHE, 'usr/bin')])
    if (existsSync(join(folder, 'prometheus'))) return folder;
  try {
    mkdirSync(CACHE, { recursive: true });
    await run('apt-get', ['download', 'prometheus'], { cwd: CACHE });
    const file = readdirSync(CACHE).find((name) => name.endsWith('.deb')) ?? '';
    await run('dpkg', ['-x', file, '.'], { cwd: CACHE });
    return join(CACHE, 'usr/bin');
  } catch {
    return null;
  }
}

/** Starts Prometheus with its data in `folder`; null if it cannot be installed. `target`: host and port. */
export async function startPrometheus(folder: string, target: string): Promise<PrometheusServer | null> {
  const programs = await findPrograms();
  if (programs === null) return null;
  const config = join(folder, 'prometheus.yml');
  const job = `{ job_name: serve, static_configs: [{ targets: ["${target}"] }] }`;
  const rules = resolve(import.meta.dirname, '../../grafana/alerts.yml');
  writeFileSync(
    config,
    `global: { scrape_interval: 1s }\nrule_files: ["${rules}"]\nscrape_configs: [${job}]\n`,
  );
  await run(join(programs, 'promtool'), ['check', 'config', config]);
  const port = await findPort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    join(programs, 'prometheus'),
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const countSeries = async (expr: string) => {
    const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expr)}`);
    const body = (await answer.json()) as { error?: string; data?: { result: readonly unknown[] } };
    if (!body.data) throw new Error(`${expr}: ${body.error}`);
    return body.data.result.length;
  };
  const isUp = () =>
    countSeries('up == 1').then(
      (count) => count === 1,
      () => false,
    );
  await pollFor(isUp, 120_000, { everyMs: 300 });
  return {
    countSeries,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
