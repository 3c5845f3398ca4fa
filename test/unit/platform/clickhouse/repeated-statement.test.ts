import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createStoreClient } from '../../../../src/platform/clickhouse/client.ts';

/** The server of this test resets the connection of its second statement after it has read it, as a real one rarely does. */
it('a statement on a connection that the server resets is sent again under another id with the same prefix', async () => {
  const ids: string[] = [];
  const server = createServer((request, response) => {
    const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('query_id') ?? '';
    request.resume().on('end', () => {
      ids.push(id);
      if (ids.length === 2) request.socket.resetAndDestroy();
      else response.end('{"meta":[{"name":"1"}],"data":[[1]]}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createStoreClient({ url, user: 'default', password: '' });
  try {
    for (const queryId of ['first', 'second'])
      expect((await client.queryRows('SELECT 1', { route: 'test', queryId })).rows).toEqual([[1]]);
    expect(ids).toEqual(['first', 'second', 'second-again']);
  } finally {
    await client.close();
    server.close();
  }
});
