/**
 * One Kafka broker of the jars for all files of a run that do not disturb it. It starts when the first of them asks for
 * it (`test/helpers/shared-broker.ts`), because most runs of a few files need none.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnedBroker, startOwnBroker } from '../helpers/kafka-process.ts';

export default async function setup(): Promise<() => Promise<void>> {
  let starting: Promise<OwnedBroker> | undefined;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    starting ??= startOwnBroker();
    starting.then(
      ({ brokers }) => socket.end(JSON.stringify({ brokers })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  const path = join(tmpdir(), 'broker.sock');
  server.listen(path);
  await once(server, 'listening');
  process.env.TEST_BROKER_SOCKET = path;
  return async () => {
    server.close();
    const broker = await starting?.catch(() => null);
    await broker?.stop();
  };
}
