import type { AttackContext } from '../../attack.ts';
import type { Route } from '../../http-call.ts';
import type { BesideServer } from '../../server-under-attack.ts';

/** A server that keeps limits, with the attacker's key. */
export interface KeyedServer {
  readonly server: BesideServer;
  readonly route: Route;
  /** Path and query of the WebSocket, with the key. */
  readonly path: string;
  readonly key: string;
  readonly keyId: string;
}

/** Starts one more server over the index, which keeps limits, for an attack by a client with a key. */
export async function withKeyedServer(
  { server, must }: AttackContext,
  options: { readonly rate: number; readonly settings?: readonly string[] },
  attack: (keyed: KeyedServer) => Promise<void>,
): Promise<void> {
  const { stdout } = await server.runCommand(['keys', 'create', 'attacker', '--rate', `${options.rate}`]);
  const key = /^\S+\.[0-9a-f]{12}\.\S+$/m.exec(stdout)?.[0] ?? '';
  must(key !== '', `no key was created: ${stdout.slice(-200)}`);
  const limited = await server.startServing(['--keyless-limit', '1', ...(options.settings ?? [])]);
  try {
    await attack({
      server: limited,
      route: { host: server.host, port: limited.port },
      path: `/api/streaming/v2/ws?api_key=${key}`,
      key,
      keyId: key.split('.')[1] ?? '',
    });
  } finally {
    await limited.end();
  }
}
