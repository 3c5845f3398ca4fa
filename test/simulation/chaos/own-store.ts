import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStoreClient, type StoreClient } from '../../../src/platform/clickhouse/client.ts';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../../src/platform/clickhouse/embedded/embedded-server.ts';
import { StoreProxy } from './store-proxy.ts';

const MEMORY_BYTES = 2 * 2 ** 30;

/** How a process that is given a store reaches it. */
export interface StoreAccess {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** A real ClickHouse server in a process of its own, which may be treated badly; its data outlive `kill`. */
export class OwnStore {
  readonly proxy: StoreProxy;
  readonly #directory: string;
  #server: EmbeddedServer;
  #client: StoreClient;

  private constructor(directory: string, server: EmbeddedServer, proxy: StoreProxy) {
    this.#directory = directory;
    this.#server = server;
    this.#client = createStoreClient(server);
    this.proxy = proxy;
  }

  static async start(): Promise<OwnStore> {
    const directory = mkdtempSync(join(tmpdir(), 'tonhouse-chaos-store-'));
    const server = await startEmbeddedServer(optionsOf(directory));
    return new OwnStore(directory, server, await StoreProxy.start(portOf(server)));
  }

  get pid(): number {
    return this.#server.pid;
  }

  /** Without the proxy, for measurements. */
  get client(): StoreClient {
    return this.#client;
  }

  /** Past the proxy. */
  get access(): StoreAccess {
    return this.#server;
  }

  /** As the stages reach it: through the proxy. */
  get proxied(): StoreAccess {
    return { user: this.#server.user, password: this.#server.password, url: this.proxy.url };
  }

  async kill(): Promise<void> {
    process.kill(this.#server.pid, 'SIGKILL');
    await this.#server.exited;
  }

  /** After `kill`: on its data, with the password that it had. */
  async startAgain(): Promise<void> {
    const { password } = this.#server;
    this.#server = await startEmbeddedServer(optionsOf(this.#directory));
    if (this.#server.password !== password) throw new Error('the store came back with another password');
    await this.#client.close();
    this.#client = createStoreClient(this.#server);
    this.proxy.target = portOf(this.#server);
  }

  pause(): void {
    process.kill(this.#server.pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.#server.pid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
    await this.#client.close();
    await this.#server.stop();
    for (const folder of [this.#directory, optionsOf(this.#directory).cold.folder])
      rmSync(folder, { recursive: true, force: true });
  }
}

/** Tables move parts to the cold folder only if a stage tells them to. */
function optionsOf(directory: string) {
  return { directory, memoryLimitBytes: MEMORY_BYTES, cold: { folder: `${directory}-cold` } };
}

function portOf({ url }: EmbeddedServer): number {
  return Number(new URL(url).port);
}
