import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GenericContainer, Wait } from 'testcontainers';
import type { StoreClientOptions } from '../../src/platform/clickhouse/client-options.ts';

/** The image of docker-compose.yml. */
const IMAGE = 'clickhouse/clickhouse-server:26.7';
const HTTP_PORT = 8123;
/** Other ports of the image: testcontainers waits for all of them if podman names them. */
const OTHER_PORTS = [9000, 9009];
const ACCESS = { user: 'tonhouse', password: 'test' };

const PROFILE = readFileSync(join(import.meta.dirname, '../../clickhouse/profile.xml'), 'utf8');

/** A single ClickHouse of its image. */
export async function startContainerStore(): Promise<{
  readonly connection: StoreClientOptions;
  stop(): Promise<void>;
}> {
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts(HTTP_PORT, ...OTHER_PORTS)
    .withEnvironment({
      CLICKHOUSE_USER: ACCESS.user,
      CLICKHOUSE_PASSWORD: ACCESS.password,
      CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT: '1',
    })
    .withCopyContentToContainer([
      { content: PROFILE, target: '/etc/clickhouse-server/users.d/tonhouse-profile.xml' },
    ])
    .withWaitStrategy(Wait.forHttp('/ping', HTTP_PORT))
    .start();
  return {
    connection: { url: `http://${container.getHost()}:${container.getMappedPort(HTTP_PORT)}`, ...ACCESS },
    stop: async () => {
      await container.stop();
    },
  };
}
