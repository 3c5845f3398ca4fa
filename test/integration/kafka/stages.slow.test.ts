import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { StatusReport } from '../../../src/engine/status/status-report.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { Bus } from '../../../src/log/port.ts';
import { kafkaLog } from '../../contract/log/kafka-log.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import { readCommitted } from '../../helpers/kafka-reader.ts';
import { describeWithData } from '../../helpers/shared-data.ts';
import { type ComposeService, composeServices, entryPoint } from './compose-services.ts';
import { allHaveLanes, pidOf } from './published-log.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const TEST_MS = 900_000;

/** Contents of the shared genesis packs. */
const GENESIS = { blocks: 299, transactions: 1_087, first: 1, last: 99 };

const LANES = 4;

/** Small epochs and batches: every lane has enough work for a kill in the middle. */
const SMALL = {
  TONHOUSE_EPOCH_SIZE: '5',
  TONHOUSE_LANES: `${LANES}`,
  // The lanes of a decoder that is paused stay its own meanwhile.
  TONHOUSE_SESSION_MS: '10000',
  TONHOUSE_BATCH_ROWS: '1',
  TONHOUSE_BATCH_MS: '0',
  TONHOUSE_DECODE_WORKERS: '0',
};

/** Replacements of addresses that only hold within a container's own network. */
const OUTSIDE = {
  TONHOUSE_HOST: '127.0.0.1',
  TONHOUSE_PORT: '0',
  TONHOUSE_SQL_PORT: '0',
  TONHOUSE_METRICS_HOST: '127.0.0.1',
  TONHOUSE_METRICS_PORT: '0',
};

interface Running {
  readonly child: ChildProcess;
  readonly text: { stdout: string; stderr: string };
  readonly ended: Promise<number | null>;
}

/** Runs services as compose would, without containers: entry point, command and environment come from the files. */
class Services {
  readonly #services: Readonly<Record<string, ComposeService>>;
  readonly #data = mkdtempSync(join(tmpdir(), 'tonhouse-stages-'));
  readonly #running: Running[] = [];

  constructor(environment: Readonly<Record<string, string>>) {
    this.#services = composeServices(environment);
  }

  /** `command`: another one in the container of that service, as `docker compose run` does. */
  start(name: string, command?: readonly string[]): Running {
    const service = this.#services[name];
    if (!service) throw new Error(`docker-compose.yml has no service ${name}`);
    const [, ...words] = entryPoint();
    const child = spawn(process.execPath, [...words, ...(command ?? service.command ?? [])], {
      cwd: PROJECT,
      env: { PATH: process.env.PATH, TONHOUSE_DATA: this.#data, ...strings(service.environment), ...OUTSIDE },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const text = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (part: string) => {
        text[stream] += part;
      });
    const running = { child, text, ended: once(child, 'close').then(([code]) => code as number | null) };
    this.#running.push(running);
    return running;
  }

  /** To its end, which must be a good one; what it printed. */
  async finish(name: string, command?: readonly string[]): Promise<string> {
    const { ended, text } = this.start(name, command);
    const code = await ended;
    expect(code, `${name}: ${text.stderr}`).toBe(0);
    return text.stdout;
  }

  async stop(): Promise<void> {
    for (const { child } of this.#running) child.kill('SIGKILL');
    await Promise.all(this.#running.map(({ ended }) => ended));
    rmSync(this.#data, { recursive: true, force: true });
  }
}

/** Numbers of the file are text in an environment. */
function strings(environment: ComposeService['environment']): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
}

/** Long enough for a slow machine: it only detects what never happens. */
const UNTIL_MS = 600_000;

async function until<T>(
  what: string,
  look: () => Promise<T | null>,
  running: readonly Running[],
): Promise<T> {
  for (const deadline = Date.now() + UNTIL_MS; ; await sleep(50)) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > deadline)
      throw new Error(
        `${what}: not within ${UNTIL_MS} ms\n${running.map(({ text }) => text.stderr).join('\n')}`,
      );
  }
}

/** Rows that answers see. */
async function rowsOf({ client }: TestServer, table: string): Promise<number> {
  const database = getDatabase({ network: 'mainnet' }, { name: 'base' });
  const { rows } = await client.queryRows<[string]>(`SELECT count() FROM ${database}.${table}`, {
    route: 'test',
  });
  return Number(rows[0]?.[0]);
}

/** Lanes by the process that has them; null until `members` processes have all of them. */
async function sharedLanes(bus: Bus, members: readonly Running[]): Promise<Map<number, number> | null> {
  const lanes = (await bus.lag()).filter(({ isPartition }) => !isPartition);
  const owners = lanes.map(({ owner }) => pidOf(owner));
  if (owners.length === 0) return null;
  const counts = new Map(
    members.map(({ child: { pid } }) => [pid ?? 0, owners.filter((owner) => owner === pid).length]),
  );
  const shares = [...counts.values()];
  return shares.every((count) => count > 0) && shares.reduce((a, b) => a + b) === owners.length
    ? counts
    : null;
}

await describeWithKafka('the services of docker-compose.yml', (brokers) => {
  describeWithData('with the genesis packs', (data) => {
    it(
      'index everything once, though a decoder is killed in the middle',
      async () => {
        const kafka = await kafkaLog(brokers());
        const server = await startTestServer();
        const services = new Services({
          ...SMALL,
          TONHOUSE_SOURCE: `archive:${join(data, 'blocks/packs')}`,
          TONHOUSE_KAFKA: brokers().join(','),
          TONHOUSE_KAFKA_PREFIX: kafka.options.prefix,
          TONHOUSE_CLICKHOUSE_URL: server.url,
          TONHOUSE_CLICKHOUSE_USER: String(server.connection.user),
          TONHOUSE_CLICKHOUSE_PASSWORD: String(server.connection.password),
          TONHOUSE_CLICKHOUSE_READ_PASSWORD: server.server.readPassword,
        });
        try {
          const early = services.start('topics', ['topics', '--check']);
          expect(await early.ended).toBe(1);
          expect(early.text.stderr).toContain('EmptyKafkaLogError');

          // Waits for the log, as its service would if compose did not.
          const first = services.start('decode');
          expect(await services.finish('topics')).toContain('network mainnet, lanes 4, epoch size 5');
          await services.finish('topics', ['topics', '--check']);
          await services.finish('migrate');
          const second = services.start('decode');
          const serve = services.start('serve');
          const bus = await kafka.open();
          const both = [first, second];
          const shares = await until('two decoders share the lanes', () => sharedLanes(bus, both), both);
          expect([...shares.values()]).toEqual([2, 2]);

          second.child.kill('SIGSTOP');
          const capture = services.start('capture');
          await until('some is decoded', async () => {
            const lag = await bus.lag();
            const mine = lag.filter(({ owner }) => pidOf(owner) === first.child.pid);
            return mine.some(({ committed }) => committed > 0) ? true : null;
          }, [...both, capture]);
          const unread = (await bus.lag()).reduce((sum, { end, committed }) => sum + end - committed, 0);
          expect(unread, 'records in the lanes of a paused decoder').toBeGreaterThan(0);
          first.child.kill('SIGKILL');
          second.child.kill('SIGCONT');
          expect(await capture.ended, capture.text.stderr).toBe(0);
          expect(JSON.parse(capture.text.stdout)).toMatchObject({
            network: 'mainnet',
            blocks: GENESIS.blocks,
            dead_letters: 0,
          });
          const third = services.start('decode');
          await until(
            'everything is decoded',
            async () => ((await bus.lag()).every(({ committed, end }) => committed === end) ? true : null),
            [second, third],
          ).catch(async (error: Error) => {
            throw new Error(`${error.message}\n${JSON.stringify(await bus.lag())}`);
          });
          const left = [second, third];
          const haveLanes = async () => (await allHaveLanes(bus, left)) || null;
          await until('both decoders that are left have lanes', haveLanes, left);

          const publish = services.start('publish');
          await until('everything is published', async () => {
            const lag = (await bus.lag()).filter(({ group }) => group === 'publish');
            return lag.length > 0 && lag.every(({ committed, end }) => committed === end) ? true : null;
          }, [publish]);
          for (const [topic, count] of [
            ['blocks', GENESIS.blocks],
            ['transactions', GENESIS.transactions],
          ] as const)
            expect(await readCommitted(kafka.options, topic, LANES), topic).toHaveLength(count);

          const verified = JSON.parse(await services.finish('decode', ['verify', '--json']));
          expect(verified).toMatchObject({
            network: 'mainnet',
            problems: 0,
            visible: { first: GENESIS.first, last: GENESIS.last },
          });
          const status: StatusReport = JSON.parse(await services.finish('decode', ['status', '--json']));
          expect(status.dead_letters).toBe(0);
          // `status` counts rows of parts: deleted rows of a recovery stay there until a merge.
          for (const [table, count] of [
            ['blocks', GENESIS.blocks],
            ['transactions', GENESIS.transactions],
          ] as const) {
            const reported = status.tables.find((one) => one.table === table)?.rows;
            expect(reported, table).toBeGreaterThanOrEqual(count);
            expect(await rowsOf(server, table), table).toBe(count);
          }

          const url = /"url":"([^"]*)"/.exec(serve.text.stderr)?.[1];
          expect(url, serve.text.stderr).toBeDefined();
          const info = await (await fetch(`${url}/api/v3/masterchainInfo`)).json();
          expect(info).toMatchObject({ last: { seqno: GENESIS.last } });

          // A second capture of the same source finds nothing to do; stages end in order when they are asked to.
          expect(JSON.parse(await services.finish('capture'))).toMatchObject({ blocks: 0, resumed_from: 99 });
          for (const { child, ended, text } of [second, third, publish, serve]) {
            child.kill('SIGTERM');
            expect(await ended, text.stderr).toBe(0);
          }
        } finally {
          await services.stop();
          await kafka.dispose();
          await server.stop();
        }
      },
      TEST_MS,
    );
  });
});
