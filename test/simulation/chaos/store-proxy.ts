import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** State of the network between the stages and the store. */
export type ProxyMode =
  /** Bytes pass. */
  | 'open'
  /** Connections are reset, new ones at once. */
  | 'cut'
  /** Bytes of both directions are held back, and pass when it is open again. */
  | 'held'
  /** Requests pass, answers are lost; a connection that lost some is reset when it is open again. */
  | 'deaf'
  /** The store sees its connections end, the stages see nothing: theirs stay open and are silent until it is open again. */
  | 'half-open';

const HELD_POLL_MS = 5;

/** The network between the stages and the store: a proxy on a port of its own that can be treated as a network is. */
export class StoreProxy {
  readonly #server: Server;
  readonly #links = new Set<Link>();
  #target: number;
  #mode: ProxyMode = 'open';
  /** Every portion of bytes from the store comes so much later. */
  delayMs = 0;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    server.on('connection', (client: Socket) => this.#accept(client));
  }

  static async start(target: number): Promise<StoreProxy> {
    const server = createServer({ allowHalfOpen: false }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StoreProxy(server, target);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get mode(): ProxyMode {
    return this.#mode;
  }

  /** A server that was started again may have another port. */
  set target(port: number) {
    this.#target = port;
  }

  set(mode: ProxyMode): void {
    this.#mode = mode;
    if (mode === 'cut') for (const link of this.#links) link.reset();
    if (mode === 'half-open') for (const link of this.#links) link.forgetStore();
    if (mode === 'open') for (const link of this.#links) if (link.damaged) link.reset();
  }

  async stop(): Promise<void> {
    this.set('cut');
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    client.on('error', () => {});
    if (this.#mode === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const link = new Link(client, connect(this.#target, '127.0.0.1'), this);
    this.#links.add(link);
    client.on('close', () => this.#links.delete(link));
    if (this.#mode === 'half-open') link.forgetStore();
  }
}

/** One connection. */
class Link {
  /** Something of it was lost: it cannot go on. */
  damaged = false;
  readonly #client: Socket;
  readonly #store: Socket;

  constructor(client: Socket, store: Socket, proxy: StoreProxy) {
    this.#client = client;
    this.#store = store;
    client.setNoDelay(true);
    store.setNoDelay(true);
    this.#carry(client, store, proxy, false);
    this.#carry(store, client, proxy, true);
    client.on('close', () => store.destroy());
    store.on('error', () => this.#storeGone()).on('close', () => this.#storeGone());
  }

  reset(): void {
    this.#client.resetAndDestroy();
    this.#store.resetAndDestroy();
  }

  /** Ends only the store's side. */
  forgetStore(): void {
    this.damaged = true;
    this.#store.destroy();
  }

  #storeGone(): void {
    if (!this.damaged) this.#client.resetAndDestroy();
  }

  /** One direction, a portion at a time: the sender waits until it is passed on. */
  #carry(from: Socket, to: Socket, proxy: StoreProxy, isAnswer: boolean): void {
    from.on('data', (bytes: Buffer) => {
      from.pause();
      this.#pass(bytes, to, proxy, isAnswer).finally(() => from.resume());
    });
    from.on('end', () => {
      if (!this.damaged) to.end();
    });
  }

  async #pass(bytes: Buffer, to: Socket, proxy: StoreProxy, isAnswer: boolean): Promise<void> {
    if (isAnswer && proxy.delayMs > 0) await sleep(proxy.delayMs);
    while (proxy.mode === 'held') await sleep(HELD_POLL_MS);
    if (isAnswer && proxy.mode === 'deaf') this.damaged = true;
    if (this.damaged || to.destroyed) return;
    if (!to.write(bytes)) await Promise.race([once(to, 'drain'), once(to, 'close')]).catch(() => {});
  }
}
