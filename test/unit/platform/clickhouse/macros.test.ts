import { describe, expect, it } from 'vitest';
import {
  LabelError,
  metaDatabase,
  versionDatabase,
} from '../../../../src/platform/clickhouse/migrations/database-names.ts';
import { expandMacros, MacroError } from '../../../../src/platform/clickhouse/migrations/macros.ts';

const single = { database: 'net_base_v1', meta: 'net', epochSize: 200_000, cluster: null };
const cluster = { ...single, cluster: 'main' };

describe('expandMacros', () => {
  it.each<[string, string, string]>([
    [
      'CREATE TABLE {db}.t{cluster} (x Int8)',
      'CREATE TABLE net_base_v1.t (x Int8)',
      "CREATE TABLE net_base_v1.t ON CLUSTER 'main' (x Int8)",
    ],
    ['{meta}.identity', 'net.identity', 'net.identity'],
    ['{engine:MergeTree}', 'MergeTree', 'ReplicatedMergeTree'],
    ['{engine:ReplacingMergeTree(lt)}', 'ReplacingMergeTree(lt)', 'ReplicatedReplacingMergeTree(lt)'],
    ['{engine:SummingMergeTree((a, b))}', 'SummingMergeTree((a, b))', 'ReplicatedSummingMergeTree((a, b))'],
    ['intDiv(mc_seqno, {epoch_size})', 'intDiv(mc_seqno, 200000)', 'intDiv(mc_seqno, 200000)'],
  ])('%s', (text, onOne, onCluster) => {
    expect(expandMacros(text, single)).toBe(onOne);
    expect(expandMacros(text, cluster)).toBe(onCluster);
  });

  it.each(['{database}', '{engine:Null}', '{engine}', '{x:UInt32}', '{}'])('refuses %s', (text) => {
    expect(() => expandMacros(text, single)).toThrow(MacroError);
  });
});

describe('database names', () => {
  it('are made of network, projection and version', () => {
    expect(metaDatabase('my_net2')).toBe('my_net2');
    expect(versionDatabase('mainnet', 'base', 7)).toBe('mainnet_base_v7');
  });

  it.each(['', 'Main', 'a-b', 'a.b', 'a'.repeat(41), 'a`; DROP'])('refuse the network label %j', (label) => {
    expect(() => metaDatabase(label)).toThrow(LabelError);
  });

  it('refuse a projection or version that cannot be separated from the rest of the name', () => {
    expect(() => versionDatabase('net', 'base_v1', 1)).toThrow(LabelError);
    expect(() => versionDatabase('net', 'base', 0)).toThrow(RangeError);
    expect(() => versionDatabase('net', 'base', 1.5)).toThrow(RangeError);
  });
});
