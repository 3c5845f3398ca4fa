import { describe, expect, it } from 'vitest';
import { resolveSettings } from '../../../../src/platform/config/resolve-settings.ts';
import { SettingError } from '../../../../src/platform/config/setting.ts';
import { SETTINGS } from '../../../../src/platform/config/settings.ts';

const failure = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('settings', () => {
  it('takes flags over the environment over defaults', () => {
    const names = ['port'] as const;
    expect(resolveSettings(names, {}, {}).port).toBe(8080);
    expect(resolveSettings(names, {}, { TONHOUSE_PORT: '9000' }).port).toBe(9000);
    expect(resolveSettings(names, { port: '9001' }, { TONHOUSE_PORT: '9000' }).port).toBe(9001);
  });

  it.each([
    ['port', '12abc'],
    ['port', '-1'],
    ['port', '65536'],
    ['port', '1e3'],
    ['port', ''],
    ['lanes', '0'],
    ['verifyLevel', 'most'],
    ['decodeWorkers', 'some'],
    ['decodeWorkers', '65'],
    ['clickhouseUrl', 'localhost:8123'],
    ['isolated', 'maybe'],
  ] as const)('refuses %s = %j with its name, what was found and what is allowed', (name, value) => {
    const error = failure(() => resolveSettings([name], { [name]: value }, {}));
    expect(error).toBeInstanceOf(SettingError);
    expect(error).toMatchObject({ setting: `--${SETTINGS[name].flag}`, found: value });
    expect((error as SettingError).message).toContain(SETTINGS[name].allowed);
  });

  it('shows an address that it refuses without its password', () => {
    const error = failure(() =>
      resolveSettings(['rateLimitRedis'], { rateLimitRedis: 'http://u:secret@h:1' }, {}),
    );
    expect(error).toMatchObject({ setting: '--rate-limit-redis', found: 'http://…@h:1' });
    expect((error as SettingError).message).not.toContain('secret');
  });

  it('names the wrong variable of the environment', () => {
    const error = failure(() => resolveSettings(['lanes'], {}, { TONHOUSE_LANES: 'many' }));
    expect((error as Error).message).toContain('TONHOUSE_LANES');
  });

  it('takes the former names of a setting, as a flag and in the environment, and names them in errors', () => {
    const names = ['idleMs'] as const;
    expect(resolveSettings(names, { 'rest-ms': '5' }, {}).idleMs).toBe(5);
    expect(resolveSettings(names, {}, { TONHOUSE_REST_MS: '6' }).idleMs).toBe(6);
    expect(resolveSettings(names, { idleMs: '1', 'rest-ms': '5' }, {}).idleMs).toBe(1);
    expect(resolveSettings(names, {}, { TONHOUSE_IDLE_MS: '2', TONHOUSE_REST_MS: '6' }).idleMs).toBe(2);
    const error = failure(() => resolveSettings(names, { 'rest-ms': 'x' }, {}));
    expect(error).toMatchObject({ setting: '--idle-ms', origin: '--rest-ms', found: 'x' });
  });

  it('takes repeated flags, and commas in the environment', () => {
    expect(resolveSettings(['state'], { state: ['a', 'b'] }, {}).state).toEqual(['a', 'b']);
    expect(resolveSettings(['state'], {}, { TONHOUSE_STATE: 'a,b' }).state).toEqual(['a', 'b']);
    expect(resolveSettings(['state'], {}, {}).state).toEqual([]);
  });

  it('has defaults that it accepts itself', () => {
    for (const name of Object.keys(SETTINGS) as (keyof typeof SETTINGS)[])
      expect(() => resolveSettings([name], {}, {})).not.toThrow();
  });
});
