/**
 * One server of a test's ClickHouse cluster: `node clickhouse-shard-process.ts DIRECTORY SHARD HTTP_PORT NAME TCP_PORT…`.
 * The npm server in local mode, as the embedded store is, with its native port open and the other shards in its
 * configuration. Dies with the owner of its standard input.
 */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { loadLibrary, runCommandLine } from '../../src/platform/clickhouse/embedded/library.ts';
import { KEEP_ALIVE_QUERY } from '../../src/platform/clickhouse/embedded/server-constants.ts';

const [directory, shard, httpPort, name, ...tcpPorts] = process.argv.slice(2);
if (!directory || !shard || !httpPort || !name || tcpPorts.length === 0)
  throw new Error('usage: clickhouse-shard-process.ts DIRECTORY SHARD HTTP_PORT NAME TCP_PORT…');

const shards = tcpPorts.map(
  (port) =>
    `<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`,
);
const users = `<clickhouse>
  <profiles><default>
    <async_insert>0</async_insert>
    <session_timezone>UTC</session_timezone>
    <http_max_field_value_size>16777216</http_max_field_value_size>
  </default></profiles>
  <quotas><default/></quotas>
  <users><default>
    <password></password>
    <networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile>
    <quota>default</quota>
    <access_management>1</access_management>
  </default></users>
</clickhouse>
`;
const server = `<clickhouse>
  <path>${directory}/data/</path>
  <tmp_path>${directory}/data/tmp/</tmp_path>
  <users_config>${directory}/users.xml</users_config>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${httpPort}</http_port>
  <tcp_port>${tcpPorts[Number(shard) - 1]}</tcp_port>
  <logger><level>warning</level><log>${directory}/log/server.log</log></logger>
  <max_server_memory_usage>2147483648</max_server_memory_usage>
  <mark_cache_size>67108864</mark_cache_size>
  <background_pool_size>2</background_pool_size>
  <background_schedule_pool_size>4</background_schedule_pool_size>
  <macros><shard>${shard}</shard><replica>1</replica></macros>
  <remote_servers><${name}>${shards.join('')}</${name}></remote_servers>
</clickhouse>
`;

const worker = new Worker(new URL('../../src/platform/clickhouse/embedded/owner-watch.ts', import.meta.url));
await once(worker, 'message');
for (const folder of ['data', 'log']) mkdirSync(join(directory, folder), { recursive: true });
writeFileSync(join(directory, 'users.xml'), users);
writeFileSync(join(directory, 'server.xml'), server);
loadLibrary();
runCommandLine([
  `--config-file=${directory}/server.xml`,
  `--path=${directory}/data/`,
  '--log-level=warning',
  '--query',
  `SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; ${KEEP_ALIVE_QUERY}`,
]);
process.exit(0);
