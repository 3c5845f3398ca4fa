import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault-plan.ts';

const JOIN_MS = 50;
/** One chunk of so many is cut. */
const CUT = 12;

/** A TCP proxy before a server. It damages what passes, as its fault says. */
export class FaultyLine {
  fault: Fault | null = null;
  private server: Server | null = null;
  private readonly upstream: number;
  private readonly sockets = new Set<Socket>();
  private listening = 0;
  private chunks = 0;

  constructor(upstream: number) {
    this.upstream = upstream;
  }

  get port(): number {
    return this.listening;
  }

  /** Listens, again on the same port. */
  async open(): Promise<void> {
    if (this.server) return;
    this.server = createServer({ noDelay: true }, (client) => this.accept(client));
    this.server.listen(this.listening, '127.0.0.1');
    await once(this.server, 'listening');
    this.listening = (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = null;
    for (const socket of this.sockets) socket.destroy();
    if (!server) return;
    server.close();
    await once(server, 'close');
  }

  private accept(client: Socket): void {
    if (this.fault === 'closes every connection') {
      client.on('error', () => {});
      client.destroy();
      return;
    }
    const server = connect({ port: this.upstream, host: '127.0.0.1', noDelay: true });
    this.pipe(client, server, false);
    this.pipe(server, client, true);
  }

  private pipe(from: Socket, to: Socket, isAnswer: boolean): void {
    this.sockets.add(from);
    let turn: Promise<void> = Promise.resolve();
    let joined: Buffer[] = [];
    from.on('data', (chunk: Buffer) => {
      if (this.fault === 'several packets in one chunk') {
        joined.push(chunk);
        if (joined.length > 1) return;
        turn = turn.then(async () => {
          await sleep(JOIN_MS);
          to.write(Buffer.concat(joined));
          joined = [];
        });
      } else turn = turn.then(() => this.pass(chunk, to, isAnswer));
    });
    from.on('error', () => {});
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
  }

  private async pass(chunk: Buffer, to: Socket, isAnswer: boolean): Promise<void> {
    if (to.destroyed) return;
    if (this.fault === 'closes every connection') {
      to.destroy();
      return;
    }
    if (this.fault === 'single bytes') {
      for (const byte of chunk.subarray(0, 64)) to.write(Buffer.from([byte]));
      to.write(chunk.subarray(64));
      return;
    }
    const isCut = isAnswer && ++this.chunks % CUT === 0;
    if (isCut && this.fault === 'closes inside a packet') {
      to.write(chunk.subarray(0, chunk.length >> 1), () => to.destroy());
      return;
    }
    // Decrypted, other bytes are a random length.
    if (isCut && this.fault === 'too long a packet') to.write(Buffer.alloc(64, 0xff));
    to.write(chunk);
  }
}
