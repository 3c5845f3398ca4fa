import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { startTestServer } from './clickhouse-server.ts';
import { startTestShards } from './clickhouse-shards.ts';
import { versionPicture } from './version-picture.ts';

/** A ClickHouse that versions are built in: one server, or a cluster. */
export interface ReplayServers {
  /** Client of the store as a whole. */
  readonly client: StoreClient;
  /** Client of each single server: on a cluster it sees its own shard. */
  readonly servers: readonly StoreClient[];
  /** Ends every server by SIGKILL: none answers what it was asked. */
  kill(): void;
  stop(): Promise<void>;
}

async function oneServer(): Promise<ReplayServers> {
  const { client, server, stop } = await startTestServer();
  return { client, servers: [client], kill: () => void process.kill(server.pid, 'SIGKILL'), stop };
}

async function twoShards(): Promise<ReplayServers> {
  const { client, servers, pids, stop } = await startTestShards(2);
  const kill = () => {
    for (const pid of pids()) process.kill(pid, 'SIGKILL');
  };
  return { client, servers, kill, stop };
}

/** Kinds of stores that replays keep the same law on. */
export const REPLAY_SERVERS = [
  ['one server', oneServer],
  ['two shards', twoShards],
] as const;

/**
 * Every row of every table of a version (`versionPicture`), each with its server's number: a linked row is on the shard
 * of a fresh index.
 */
export async function placedPicture(
  { servers }: Pick<ReplayServers, 'servers'>,
  database: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const picture: Record<string, string[]> = {};
  for (const [number, server] of servers.entries()) {
    for (const [stored, rows] of Object.entries(await versionPicture(server, database))) {
      const table = stored.replace(/_local$/, '');
      picture[table] = [...(picture[table] ?? []), ...rows.map((row) => `${number} ${row}`)];
    }
  }
  return picture;
}
