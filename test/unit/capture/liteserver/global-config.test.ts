import { describe, expect, test } from 'vitest';
import { GlobalConfigError, parseGlobalConfig } from '../../../../src/capture/liteserver/global-config.ts';

const HASH = Buffer.alloc(32, 1).toString('base64');

/** A file as published ones are; numbers are written as text here, because JSON.stringify would round them. */
function configText({ servers = SERVER, shard = '-9223372036854775808', forks = '' } = {}): string {
  const block = `{"workchain":-1,"shard":${shard},"seqno":0,"root_hash":"${HASH}","file_hash":"${HASH}"}`;
  return `{"@type":"config.global","dht":{},"liteservers":[${servers}],
    "validator":{"@type":"validator.config.global","zero_state":${block},"init_block":${block},"hardforks":[${forks}]}}`;
}
const SERVER = `{"ip":-2018135749,"port":53312,"id":{"@type":"pub.ed25519","key":"${HASH}"}}`;

describe('the global configuration', () => {
  test('has addresses as signed numbers or as names', () => {
    const named = `{"host":"lite.example.org","port":1,"id":{"key":"${HASH}"}}`;
    const { servers } = parseGlobalConfig(configText({ servers: `${SERVER},${named}` }), 'f');
    expect(servers.map(({ host, port }) => `${host}:${port}`)).toEqual([
      '135.181.177.59:53312',
      'lite.example.org:1',
    ]);
    expect(servers[0]?.key).toEqual(Uint8Array.from(Buffer.alloc(32, 1)));
  });

  test('keeps every bit of a shard that no double can hold', () => {
    const { zerostate } = parseGlobalConfig(configText({ shard: '6917529027641081857' }), 'f');
    expect(zerostate.shard).toBe(6917529027641081857n);
    expect(parseGlobalConfig(configText(), 'f').zerostate.shard).toBe(1n << 63n);
  });

  test('has hard forks, and the zerostate as init block if it names none', () => {
    const fork = `{"workchain":-1,"shard":-9223372036854775808,"seqno":8,"root_hash":"${HASH}","file_hash":"${HASH}"}`;
    const text = configText({ forks: fork }).replace(/"init_block":\{[^}]*\},/, '');
    const { hardForks, initBlock, zerostate } = parseGlobalConfig(text, 'f');
    expect(hardForks.map(({ seqno }) => seqno)).toEqual([8]);
    expect(initBlock).toEqual(zerostate);
  });

  test('ignores servers that cannot be used, and names the reason', () => {
    const bad = ['{"ip":1,"port":0,"id":{"key":"x"}}', `{"port":5,"id":{"key":"${HASH}"}}`, '{"adnl":"x"}'];
    const { servers, ignored } = parseGlobalConfig(configText({ servers: [SERVER, ...bad].join() }), 'f');
    expect(servers).toHaveLength(1);
    expect(ignored).toEqual([
      expect.stringContaining('lite server 2: id.key: not the base64 text of 32 bytes'),
      expect.stringContaining('lite server 3: no ip and no host'),
      expect.stringContaining('lite server 4'),
    ]);
  });

  test.each([
    ['no JSON', 'x', /f: not JSON/],
    ['no validator part', '{"liteservers":[]}', /validator/],
    ['no server', configText({ servers: '' }), /no usable lite server/],
    [
      'a hash of another length',
      configText().replaceAll(HASH, 'AAAA'),
      /zero_state.root_hash: not the base64/,
    ],
  ])('is refused with %s', (_name, text, problem) => {
    expect(() => parseGlobalConfig(text, 'f')).toThrow(GlobalConfigError);
    expect(() => parseGlobalConfig(text, 'f')).toThrow(problem);
  });
});
