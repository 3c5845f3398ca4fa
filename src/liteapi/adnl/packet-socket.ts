import type { Socket } from 'node:net';
import type { Streams } from './handshake.ts';
import { PacketReader, writePacket } from './packets.ts';

/** A connection after its handshake: packets in both directions. */
export class PacketSocket {
  private readonly socket: Socket;
  private readonly streams: Streams;
  private readonly reader: PacketReader;
  private readonly onPayload: (payload: Buffer) => void;
  /** Packets that wait for the end of this turn of the event loop. */
  private waiting: Buffer[] = [];

  /**
   * `onPayload` gets every payload in order, also the empty ones. An error that it throws closes the connection.
   * `maxPacket`: largest packet of the other end; default 16 MiB.
   */
  constructor(socket: Socket, streams: Streams, onPayload: (payload: Buffer) => void, maxPacket?: number) {
    this.reader = new PacketReader(maxPacket);
    this.socket = socket;
    this.streams = streams;
    this.onPayload = onPayload;
  }

  /** Takes encrypted bytes. A packet that breaks the protocol destroys the socket with its error. */
  receive(chunk: Buffer): void {
    try {
      for (const payload of this.reader.push(this.streams.receive.update(chunk))) this.onPayload(payload);
    } catch (error) {
      this.socket.destroy(error as Error);
    }
  }

  /**
   * Sends a packet. Packets of one turn of the event loop share one write: a write costs more than a request.
   * @throws PacketError if the payload is too large
   */
  send(payload: Uint8Array): void {
    if (this.socket.destroyed) return;
    this.waiting.push(writePacket(payload));
    if (this.waiting.length === 1) setImmediate(() => this.flush());
  }

  private flush(): void {
    const packets = this.waiting;
    this.waiting = [];
    if (!this.socket.destroyed) this.socket.write(this.streams.send.update(Buffer.concat(packets)));
  }
}
