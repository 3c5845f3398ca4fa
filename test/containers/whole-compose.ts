import { join } from 'node:path';
import type { ContainerEngine } from '../../scripts/containers/container-engine.ts';
import { freePort } from '../helpers/free-port.ts';
import { check, requireEqual } from './checks.ts';
import { LIMITS } from './limits.ts';
import { Services } from './services.ts';

/** Contents of the shared genesis packs. */
const GENESIS = { first: 1, last: 99, transactions: 1_087 };
const DECODERS = 3;

/** docker-compose.yml: shared blocks through Kafka into ClickHouse, while one of three decoders is killed. */
export async function checkWholeCompose(engine: ContainerEngine, data: string): Promise<void> {
  const port = await freePort();
  const services = new Services(
    engine,
    { name: 'whole', file: 'docker-compose.yml' },
    {
      ...LIMITS,
      TONHOUSE_PUBLISH: `127.0.0.1:${port}`,
      TONHOUSE_BLOCKS: join(data, 'blocks/packs'),
      TONHOUSE_CLICKHOUSE_PASSWORD: 'writer',
      TONHOUSE_CLICKHOUSE_READ_PASSWORD: 'reader',
      TONHOUSE_EPOCH_SIZE: '5',
      TONHOUSE_LANES: '4',
      TONHOUSE_SESSION_MS: '10000',
    },
  );
  const isUp =
    (await check('docker-compose.yml: Kafka and ClickHouse become healthy', async () => {
      await services.up('kafka', 'clickhouse');
      await Promise.all(['kafka', 'clickhouse'].map((service) => services.healthy(service)));
    })) &&
    (await check('docker-compose.yml: topics and migrate end well', async () => {
      for (const service of ['topics', 'migrate']) {
        await services.up(service);
        const code = await services.exitCode(service);
        requireEqual(`exit code of ${service}\n${await services.logs(service)}`, 0, code);
      }
    }));
  if (isUp) {
    await checkStages(engine, services, `http://127.0.0.1:${port}`);
    await checkStops(services);
  }
  await services.down();
}

async function checkStages(engine: ContainerEngine, services: Services, url: string): Promise<void> {
  await check(`docker-compose.yml: ${DECODERS} decoders index everything, though one is killed`, async () => {
    await services.up('--scale', `decode=${DECODERS}`, 'decode', 'serve');
    await services.up('capture');
    await engine.run('podman', ['kill', services.container('decode', 2)]);
    // The newest block is visible before older ones of a lane whose decoder was killed: they are the first ones then.
    const isComplete = async () => {
      const answer = await fetch(`${url}/api/v3/masterchainInfo`);
      if (!answer.ok) return false;
      const { first, last } = (await answer.json()) as Record<'first' | 'last', { seqno: number }>;
      return first.seqno === GENESIS.first && last.seqno === GENESIS.last;
    };
    await services.until(`masterchain ${GENESIS.first} to ${GENESIS.last} is visible`, isComplete, 'decode');
    requireEqual('exit code of capture', 0, await services.exitCode('capture'));
  });
  await check('docker-compose.yml: serve is healthy, and the store has every transaction', async () => {
    await services.healthy('serve');
    const status = ['exec', services.container('serve'), 'node', 'src/main.ts', 'status', '--json'];
    const { tables, dead_letters } = JSON.parse(await engine.run('podman', status)) as {
      dead_letters: number;
      tables: readonly { table: string; rows: number }[];
    };
    requireEqual('dead letters', 0, dead_letters);
    // Rows that were written again are counted until they are merged.
    const rows = tables.find(({ table }) => table === 'transactions')?.rows ?? 0;
    if (rows < GENESIS.transactions)
      throw new Error(`transactions: expected ${GENESIS.transactions} or more, found ${rows}`);
  });
}

async function checkStops(services: Services): Promise<void> {
  await check('docker-compose.yml: stages and the store stop in order', async () => {
    for (const [service, number] of [
      ['serve', 1],
      ['decode', 1],
      ['decode', 3],
      ['clickhouse', 1],
    ] as const)
      requireEqual(`exit code of ${service} ${number}`, 0, await services.stop(service, number));
    // A JVM that SIGTERM ends in order exits with 128 and the number of the signal.
    requireEqual('exit code of kafka', 143, await services.stop('kafka'));
  });
}
