import { describe, expect, it } from 'vitest';
import { ForeignBlockError } from '../../../src/capture/chain/chain-errors.ts';
import {
  decideNetwork,
  logIdentity,
  logShape,
  NetworkUndeclaredError,
} from '../../../src/capture/identity.ts';
import { KNOWN_NETWORKS, NetworkSpecError, parseNetwork } from '../../../src/capture/network-spec.ts';
import type { SourceState } from '../../../src/capture/source.ts';

const mainnet = KNOWN_NETWORKS[0]!;
const hash = (byte: number) => new Uint8Array(32).fill(byte);
const other = { rootHash: hash(0xab), fileHash: hash(0xcd) };
const otherId = `${'ab'.repeat(32)}:${'cd'.repeat(32)}`;
const [mainnetRoot, mainnetFile] = mainnet.id
  .split(':')
  .map((hex) => new Uint8Array(Buffer.from(hex, 'hex')));
const mainnetZero = { rootHash: mainnetRoot!, fileHash: mainnetFile! };

interface Given {
  zerostate?: typeof other | null;
  globalId?: number | null;
  states?: (typeof other)[];
  declared?: string;
  continuity?: 'chain' | 'isolated';
}

function decide({ zerostate = null, globalId = -239, states = [], declared, continuity = 'chain' }: Given) {
  return decideNetwork({
    source: { name: 'test', continuity },
    facts: { zerostate, globalId, firstMcSeqno: 7 },
    states: states.map((id) => ({ id: { workchain: -1, shard: 1n << 63n, seqno: 0, ...id } }) as SourceState),
    declared: declared === undefined ? null : parseNetwork(declared),
  });
}

describe('--lanes and --epoch-size', () => {
  const AUTO = { epochSize: 'auto', lanes: 'auto' } as const;

  it('are those of the existing log if no value is named, and the defaults for a new log', () => {
    expect(logShape(AUTO, { epochSize: 40, lanes: 2 })).toEqual({ epochSize: 40, lanes: 2 });
    expect(logShape(AUTO, null)).toEqual({ epochSize: 200_000, lanes: 8 });
  });

  it('are the named values, so that a contradiction is refused', () => {
    const recorded = { epochSize: 40, lanes: 2 };
    expect(logShape({ ...AUTO, lanes: 3 }, recorded)).toEqual({ epochSize: 40, lanes: 3 });
    expect(logShape({ ...AUTO, epochSize: 200_000 }, recorded)).toEqual({ epochSize: 200_000, lanes: 2 });
  });
});

describe('--network', () => {
  it('is a known label, a label, or a label with the zerostate', () => {
    expect(parseNetwork('mainnet')).toEqual({ label: 'mainnet', id: mainnet.id });
    // Base64 as in the public testnet-global.config.json.
    const testnet = [
      'gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=',
      'Z+IKwYS54DmmJmesw/nAD5DzWadnOCMzee+kdgSYDOg=',
    ];
    const id = testnet.map((hash) => Buffer.from(hash, 'base64').toString('hex')).join(':');
    expect(parseNetwork('testnet')).toEqual({ label: 'testnet', id });
    expect(parseNetwork('mynet')).toEqual({ label: 'mynet', id: null });
    expect(parseNetwork(`mynet=${otherId.toUpperCase()}`)).toEqual({ label: 'mynet', id: otherId });
  });

  it.each([
    '',
    'My',
    '1net',
    'a b',
    `x=${'ab'.repeat(32)}`,
    `x=${otherId}:00`,
    `x=${otherId}=`,
    'x=zz:zz',
    `mainnet=${otherId}`,
  ])('is refused otherwise: %s', (spec) => {
    expect(() => parseNetwork(spec)).toThrow(NetworkSpecError);
  });
});

describe('which network a log is of', () => {
  it('the blocks tell by block 1', () => {
    expect(decide({ zerostate: mainnetZero })).toEqual({ network: 'mainnet', id: mainnet.id });
    expect(decide({ zerostate: other })).toEqual({ network: 'net_abababab', id: otherId });
    expect(decide({ zerostate: other, declared: 'mynet' })).toEqual({ network: 'mynet', id: otherId });
  });

  it('the zerostate tells', () => {
    expect(decide({ states: [mainnetZero] })).toEqual({ network: 'mainnet', id: mainnet.id });
    expect(decide({ states: [other], zerostate: other })).toEqual({ network: 'net_abababab', id: otherId });
  });

  it('the user tells in mid-chain', () => {
    expect(decide({ declared: 'mainnet' })).toEqual({ network: 'mainnet', id: mainnet.id });
    expect(decide({ declared: `mynet=${otherId}` })).toEqual({ network: 'mynet', id: otherId });
  });

  it('nobody tells: the error says what to pass', () => {
    expect(() => decide({})).toThrow(NetworkUndeclaredError);
    expect(() => decide({ declared: 'mynet' })).toThrow(/--network mainnet.*LABEL=ROOTHASH:FILEHASH/);
  });

  it.each<[string, Given]>([
    ['blocks and state', { zerostate: mainnetZero, states: [other] }],
    ['blocks and declaration', { zerostate: other, declared: 'mainnet' }],
    ['a known network and another label', { zerostate: mainnetZero, declared: 'mynet' }],
    ['a known network and another global_id', { declared: 'mainnet', globalId: -3 }],
  ])('%s must agree', (_, given) => {
    expect(() => decide(given)).toThrow(ForeignBlockError);
  });

  it('isolated blocks have a label only', () => {
    expect(decide({ continuity: 'isolated', globalId: null })).toEqual({
      network: 'isolated',
      id: 'isolated:isolated',
    });
    expect(decide({ continuity: 'isolated', declared: 'sample' })).toEqual({
      network: 'sample',
      id: 'isolated:sample',
    });
  });
});

describe('the facts of a new log', () => {
  const network = { network: 'x', id: 'y' };
  const shape = { epochSize: 10, lanes: 2 };
  const start = {
    continuity: 'chain' as const,
    globalId: -239,
    fromStates: false,
    startLts: [{ workchain: 0, shard: 1n << 63n, lt: 77n }],
  };

  it('say below which lt the states are missing', () => {
    expect(logIdentity(network, shape, start)).toEqual({
      ...network,
      ...shape,
      facts: { continuity: 'chain', global_id: '-239', start_lt: '0:8000000000000000=77' },
    });
    expect(logIdentity(network, shape, { ...start, fromStates: true }).facts.start_lt).toBe('0');
    const isolated = logIdentity(network, shape, { ...start, continuity: 'isolated', globalId: null });
    expect(isolated.facts).toEqual({
      continuity: 'isolated',
      global_id: 'mixed',
      start_lt: '18446744073709551615',
    });
  });
});
