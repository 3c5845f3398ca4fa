import type { Attack } from '../attack.ts';
import { type Call, jsonCall } from '../http-call.ts';
import { rpcCall } from './method-calls.ts';

const PATHS = ['/api/v3/runGetMethod', '/api/v3/estimateFee', '/api/v2/jsonRPC', '/api/v2/runGetMethodStd'];
const DEEP = 100_000;

/** Bodies that are JSON and yet hardly: very deep, with names that mean something to JavaScript, batches, odd ids. */
export const oddJson: Attack = {
  name: 'odd JSON',
  holds: 'each is refused or answered, and no object of the server is changed',
  async run({ accounts, sendAll, must, send }) {
    const texts = [
      '['.repeat(DEEP) + ']'.repeat(DEEP),
      `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
      `{"stack":${'['.repeat(DEEP)}${']'.repeat(DEEP)},"address":"${accounts.wallet}","method":"seqno"}`,
      `{"address":"${accounts.wallet}","method":"seqno","stack":${nestedTuples(5_000)}}`,
      '{"__proto__":{"ok":false,"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      '{"params":{"__proto__":{"polluted":1}},"method":"getMasterchainInfo","__proto__":null}',
      '{"a":1,"a":2,"method":"getMasterchainInfo","method":"getAddressInformation"}',
      `{"id":${'9'.repeat(100_000)},"method":"getMasterchainInfo","params":{}}`,
      '{"a":1e999999,"b":-1e999999}',
      '\ufeff{}',
      'null',
      '"text"',
      '1',
      '',
      '{',
      '{"a":"\\ud800"}',
      JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key${at}`, at]))),
    ];
    const bodies: (string | Buffer)[] = [
      ...texts,
      Buffer.from('{"a":"\xff\xfe"}', 'latin1'),
      Buffer.alloc(1_000),
    ];
    const headers = { 'content-type': 'application/json' };
    await sendAll(
      PATHS.flatMap((path) => bodies.map((body): Call => ({ path, body, headers }))),
      4,
    );
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await send({
      path: PATHS[0]!,
      body: '__proto__=1&constructor=2&address[]=3&stack[0][type]=num',
      headers: form,
    });
    await sendAll(odd(), 4);
    const { text } = await send({ path: '/api/v2/getMasterchainInfo' });
    must(!text.includes('polluted') && text.includes('"ok":true'), `after the attack: ${text.slice(0, 200)}`);
  },
};

/** Calls that JSON-RPC allows, or that clients send which think so. */
function odd(): Call[] {
  const one = { jsonrpc: '2.0', id: 1, method: 'getMasterchainInfo', params: {} };
  const ids = [null, true, 1.5, -1, '', 'x'.repeat(100_000), [], {}, { a: 1 }, Number.MAX_SAFE_INTEGER];
  return [
    jsonCall('/api/v2/jsonRPC', [one, one]),
    jsonCall(
      '/api/v2/jsonRPC',
      Array.from({ length: 10_000 }, () => one),
    ),
    jsonCall('/api/v2/jsonRPC', []),
    ...ids.map((id) => jsonCall('/api/v2/jsonRPC', { ...one, id })),
    ...[null, 1, 'text', [1], [[]]].map((params) => rpcCall('getAddressInformation', params)),
    ...['__proto__', 'constructor', 'toString', 'jsonRPC', 'x'.repeat(100_000)].map((method) =>
      rpcCall(method, {}),
    ),
  ];
}

function nestedTuples(depth: number): string {
  return `[${'["tuple",{"elements":['.repeat(depth)}${']}]'.repeat(depth)}]`;
}
