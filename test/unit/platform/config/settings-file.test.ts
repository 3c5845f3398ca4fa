import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { resolveSettings } from '../../../../src/platform/config/resolve-settings.ts';
import { SettingError } from '../../../../src/platform/config/setting.ts';
import { settingNotices } from '../../../../src/platform/config/setting-notices.ts';
import { SETTINGS, type SettingName } from '../../../../src/platform/config/settings.ts';
import { readSettingsFile } from '../../../../src/platform/config/settings-file.ts';

const root = mkdtempSync(join(tmpdir(), 'tonhouse-settings-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const path = join(root, 'settings.conf');
const ALL = Object.keys(SETTINGS) as SettingName[];

function write(text: string, mode = 0o600): { readonly config: string } {
  writeFileSync(path, text);
  chmodSync(path, mode);
  return { config: path };
}

function failure(text: string, names: Parameters<typeof resolveSettings>[0] = ['port']): SettingError {
  try {
    resolveSettings(names, write(text), {});
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError);
    return error as SettingError;
  }
  throw new Error(`accepted: ${text}`);
}

describe('a settings file', () => {
  it('comes after flags and the environment and before defaults', () => {
    const flags = write('port = 1\n');
    const names = ['port', 'host'] as const;
    expect(resolveSettings(names, flags, {})).toEqual({ port: 1, host: '127.0.0.1' });
    expect(resolveSettings(names, flags, { TONHOUSE_PORT: '2' }).port).toBe(2);
    expect(resolveSettings(names, { ...flags, port: '3' }, { TONHOUSE_PORT: '2' }).port).toBe(3);
    expect(resolveSettings(names, {}, { TONHOUSE_CONFIG: path }).port).toBe(1);
  });

  it('has a line for each value of a repeatable setting, which flags and the environment replace', () => {
    const flags = write('state = a,b\nport=1\n  state=c d  \n');
    expect(resolveSettings(['state'], flags, {}).state).toEqual(['a,b', 'c d']);
    expect(resolveSettings(['state'], flags, { TONHOUSE_STATE: 'x,y' }).state).toEqual(['x', 'y']);
    expect(resolveSettings(['state'], { ...flags, state: ['z'] }, {}).state).toEqual(['z']);
  });

  it.each([
    ['data = /a b', '/a b'],
    ['data=/a # a comment', '/a'],
    ['data = /a#b', '/a#b'],
    ['data = "/a # b" # a comment', '/a # b'],
    [`data = ' "x" = y '`, ' "x" = y '],
    ['\uFEFFdata = /a\r\n# end', '/a'],
    ['# data = no\n\n   # nor this\n\tdata\t=\t/a', '/a'],
    ['data = a=b', 'a=b'],
  ])('reads %j', (text, data) => {
    expect(resolveSettings(['data'], write(text), {}).data).toBe(data);
  });

  it('may contain settings of other commands, and off switches', () => {
    const flags = write('source = localnet\nstrict = false\nfast = true\nlanes = 4\n');
    expect(resolveSettings(['strict', 'fast', 'port'], flags, {})).toEqual({
      strict: false,
      fast: true,
      port: 8080,
    });
  });

  it.each([
    ['\nport = many', { setting: '--port', found: 'many' }, 'line 2', '0 to 65535'],
    ['port =', { setting: '--port', found: '' }, 'line 1', '0 to 65535'],
    ['prot = 1', { setting: 'prot', found: 'prot' }, 'line 1', 'did you mean "port"?'],
    ['--port = 1', { setting: '--port' }, 'line 1', 'did you mean "port"?'],
    ['TONHOUSE_LOG_LEVEL = info', {}, 'line 1', 'did you mean "log-level"?'],
    ['log_level = info', {}, 'line 1', 'did you mean "log-level"?'],
    ['logLevel = info', {}, 'line 1', 'did you mean "log-level"?'],
    ['nothing-like-it = 1', {}, 'line 1', 'docs/settings.md'],
    ['config = other.conf', { found: 'config' }, 'line 1', 'docs/settings.md'],
    ['#\nstrict', { found: 'strict' }, 'line 2', 'name = value'],
    ['host = "a', {}, 'line 1', 'quotes'],
    ['host = "a"b', {}, 'line 1', 'quotes'],
    ['port = 1\nhost = a\nport = 2', { setting: 'port' }, 'line 3', 'line 1'],
    ['rest-ms = 1\nidle-ms = 2', { setting: 'idle-ms' }, 'line 2', 'line 1'],
  ])('refuses %j with its line', (text, facts, line, words) => {
    const error = failure(text);
    expect(error).toMatchObject(facts);
    expect(error.origin).toBe(`${path}, ${line}`);
    expect(error.message).toContain(words);
  });

  it('does not print a password of a line that it refuses', () => {
    for (const line of [
      'kafka-password hunter2',
      'kafka-password: hunter2',
      'kafka-pasword = hunter2',
      "kafka-password = 'hunter2",
      'kafka-password = a\nkafka-password = hunter2',
    ])
      expect(failure(line).message).not.toContain('hunter2');
    expect(failure('rate-limit-redis = http://u:hunter2@h', ['rateLimitRedis']).message).not.toContain(
      'hunter2',
    );
  });

  it('must be readable', () => {
    const missing = { config: join(root, 'missing.conf') };
    expect(() => resolveSettings([], missing, {})).toThrow(/--config \(from --config\).*missing.conf/);
    expect(() => resolveSettings([], {}, { TONHOUSE_CONFIG: root })).toThrow(/from TONHOUSE_CONFIG/);
  });

  it('is read once if the command line contains it', () => {
    const config = readSettingsFile(write('port = 1').config, '--config');
    rmSync(path);
    expect(resolveSettings(['port'], { config }, {}).port).toBe(1);
  });
});

describe('notices about settings', () => {
  it('name the new name of a former one, for settings of the command only', () => {
    const flags = { ...write('answer-memory-mb = 1\nclickhouse-deaf-ms = 2000\n'), 'rest-ms': '1' };
    const environment = { TONHOUSE_CLICKHOUSE_DEAF_MS: '3000' };
    const names = ['idleMs', 'responseCacheMb', 'clickhouseUnresponsiveMs'] as const;
    const file = readSettingsFile(path, '--config');
    expect(settingNotices(names, flags, file, environment)).toEqual([
      '--rest-ms is now --idle-ms',
      `answer-memory-mb in ${path} is now response-cache-mb`,
      'TONHOUSE_CLICKHOUSE_DEAF_MS is now TONHOUSE_CLICKHOUSE_UNRESPONSIVE_MS',
      `clickhouse-deaf-ms in ${path} is now clickhouse-unresponsive-ms`,
    ]);
    expect(settingNotices(['port'], flags, file, environment)).toEqual([]);
    expect(resolveSettings(names, flags, environment)).toEqual({
      idleMs: 1,
      responseCacheMb: 1,
      clickhouseUnresponsiveMs: 3000,
    });
  });

  it.each([
    ['kafka-password = x', 0o644, 1],
    ['kafka-password = x', 0o640, 1],
    ['kafka-password = x', 0o600, 0],
    ['image-proxy = http://00:00@h', 0o604, 1],
    ['port = 1', 0o644, 0],
  ])('warn of a secret that others may read: %j with mode %o', (text, mode, count) => {
    const notices = settingNotices([], {}, readSettingsFile(write(text, mode).config, '--config'), {});
    expect(notices).toEqual(Array.from({ length: count }, () => expect.stringContaining('chmod 600')));
  });
});

describe('examples/tonhouse.conf', () => {
  const example = fileURLToPath(new URL('../../../../examples/tonhouse.conf', import.meta.url));

  it('has settings that up, serve and index accept', () => {
    expect(resolveSettings(ALL, { config: example }, {})).toMatchObject({
      source: 'localnet',
      port: 8081,
      strict: true,
      cors: '*',
      trustedProxy: ['127.0.0.1', '10.0.0.0/8'],
    });
  });

  it('is valid in a comment', () => {
    const text = readFileSync(example, 'utf8').replaceAll(/^# (?=[a-z-]+ = )/gm, '');
    expect(resolveSettings(ALL, write(text), {})).toMatchObject({
      kafka: 'broker-1:9092,broker-2:9092',
      clickhousePassword: 'a value in quotes may contain # and spaces',
    });
  });
});
