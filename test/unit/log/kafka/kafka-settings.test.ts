import { describe, expect, it } from 'vitest';
import { LOG_SETTINGS } from '../../../../src/cli/setting-groups.ts';
import { kafkaOptions } from '../../../../src/log/kafka/kafka-settings.ts';
import { resolveSettings } from '../../../../src/platform/config/resolve-settings.ts';
import { SettingError } from '../../../../src/platform/config/setting.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const options = (flags: Record<string, string>, environment: Record<string, string> = {}) =>
  kafkaOptions(resolveSettings(LOG_SETTINGS, flags, environment), { log });

describe('settings of Kafka', () => {
  it('leave the log in the data directory if no brokers are named', () => {
    expect(options({})).toBeNull();
  });

  it('take brokers from either variable, ours first', () => {
    expect(options({}, { KAFKA_BROKERS: 'a:1,b:2' })).toEqual({
      brokers: ['a:1', 'b:2'],
      prefix: 'tonhouse',
      log,
    });
    expect(options({}, { KAFKA_BROKERS: 'a:1', TONHOUSE_KAFKA: 'c:3' })?.brokers).toEqual(['c:3']);
    expect(options({ kafka: 'd:4' }, { TONHOUSE_KAFKA: 'c:3' })?.brokers).toEqual(['d:4']);
  });

  it.each(['a', 'a:1,', 'a:1, b:2', 'http://a:1'])('refuse brokers %j', (kafka) => {
    expect(() => options({ kafka })).toThrow(SettingError);
  });

  it('make TLS of a file or the switch', () => {
    expect(options({ kafka: 'a:1', kafkaTls: 'true' })?.tls).toEqual({});
    expect(options({ kafka: 'a:1', kafkaCa: 'ca', kafkaCert: 'cert', kafkaKey: 'key' })?.tls).toEqual({
      caFile: 'ca',
      certFile: 'cert',
      keyFile: 'key',
    });
  });

  it('show user and password by a mechanism', () => {
    const given = { kafka: 'a:1', kafkaSasl: 'scram-sha-512', kafkaUser: 'me' };
    expect(options(given, { TONHOUSE_KAFKA_PASSWORD: 'p' })?.sasl).toEqual({
      mechanism: 'scram-sha-512',
      username: 'me',
      password: 'p',
    });
  });

  it.each([
    ['--kafka-key', { kafkaCert: 'cert' }],
    ['--kafka-cert', { kafkaKey: 'key' }],
    ['--kafka-user', { kafkaSasl: 'plain', kafkaPassword: 'p' }],
    ['--kafka-password', { kafkaSasl: 'plain', kafkaUser: 'me' }],
    ['--kafka-sasl', { kafkaUser: 'me' }],
  ])('require %s', (setting, flags) => {
    expect(() => options({ kafka: 'a:1', ...flags })).toThrow(expect.objectContaining({ setting }));
  });
});
