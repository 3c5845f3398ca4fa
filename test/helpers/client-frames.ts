/** First bytes of frames of RFC 6455, 5.2. Without `FINAL` a message goes on in `CONTINUATION` frames. */
export const FINAL = 0x80;
export const CONTINUATION = 0x00;
export const TEXT = 0x01;
export const BINARY = 0x02;
export const PING = 0x09;
export const PONG = 0x0a;

/** A frame of a client, masked with zeros. `length`: that of the header, if it is not that of the data. */
export function clientFrame(first: number, data: string | Buffer = '', length?: number): Buffer {
  const bytes = Buffer.from(data);
  const size = length ?? bytes.length;
  const short = size < 126 ? size : size < 65_536 ? 126 : 127;
  const extended = Buffer.alloc(short === 126 ? 2 : short === 127 ? 8 : 0);
  if (short === 126) extended.writeUInt16BE(size);
  if (short === 127) extended.writeBigUInt64BE(BigInt(size));
  return Buffer.concat([Buffer.from([first, 0x80 | short]), extended, Buffer.alloc(4), bytes]);
}
