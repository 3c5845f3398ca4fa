import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ContainerEngine } from '../../scripts/containers/container-engine.ts';
import { check } from './checks.ts';

const ROOT = `${import.meta.dirname}/../..`;
/** Long enough for a busy machine: it only ends what hangs. */
const UNTIL_MS = 60_000;
const MAX_OUTPUT = 1 << 26;

/** Suites whose servers testcontainers starts, and the configuration that has them. */
const SUITES = [
  {
    what: 'the contract of logs, on Kafka',
    config: 'vitest.slow.config.ts',
    file: 'test/contract/log/kafka.slow.test.ts',
  },
  {
    what: 'the log stored on Kafka',
    config: 'vitest.config.ts',
    file: 'test/integration/kafka/stored-log.test.ts',
  },
  ...['migrate', 'native-format', 'versions'].map((name) => ({
    what: `${name}, on ClickHouse`,
    config: 'vitest.config.ts',
    file: `test/integration/clickhouse/${name}.test.ts`,
  })),
];

/** Suites of Kafka and ClickHouse with testcontainers, which reaches podman at a socket as it reaches Docker. */
export async function checkContractSuites(engine: ContainerEngine): Promise<void> {
  const socket = join(engine.folder, 'podman.sock');
  const service = spawn('podman', ['system', 'service', '--time', '0', `unix://${socket}`], {
    env: engine.environment as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  const ended = once(service, 'close');
  const environment = {
    ...engine.environment,
    DOCKER_HOST: `unix://${socket}`,
    // Its image has no stand-in. The suites stop their containers, and the engine removes the rest.
    TESTCONTAINERS_RYUK_DISABLED: 'true',
  };
  const isUp = await check('testcontainers: podman answers at its socket', async () => {
    for (const deadline = Date.now() + UNTIL_MS; !existsSync(socket); await sleep(100))
      if (Date.now() > deadline) throw new Error(`${socket} was not made`);
  });
  if (isUp)
    for (const { what, config, file } of SUITES)
      await check(`testcontainers: ${what}`, () => runSuite(['--config', config, file], environment));
  service.kill('SIGTERM');
  await ended;
}

/** @throws Error if a test fails, or if no container was started: then the suite would show nothing of containers */
async function runSuite(words: readonly string[], env: ContainerEngine['environment']): Promise<void> {
  const started = await countStarts(env);
  await promisify(execFile)('npx', ['vitest', 'run', ...words], {
    cwd: ROOT,
    env: env as NodeJS.ProcessEnv,
    maxBuffer: MAX_OUTPUT,
  });
  if ((await countStarts(env)) === started) throw new Error('the suite started no container');
}

/** Containers that were started until now, by podman's events. */
async function countStarts(env: ContainerEngine['environment']): Promise<number> {
  const words = ['events', '--stream=false', '--filter', 'event=start', '--format', '{{.ID}}'];
  const { stdout } = await promisify(execFile)('podman', words, {
    env: env as NodeJS.ProcessEnv,
    maxBuffer: MAX_OUTPUT,
  });
  return stdout.split('\n').filter((line) => line !== '').length;
}
