import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { toForkFlags } from '../../../src/testing/fork-flags.ts';

it('passes a fork as flags of the program', () => {
  expect(toForkFlags(undefined)).toEqual([]);
  expect(toForkFlags('accounts')).toEqual(['--fork', resolve('accounts')]);
  expect(toForkFlags(['/a.boc', '/b'])).toEqual(['--fork', '/a.boc', '--fork', '/b']);
  // A folder of this name is no lite server.
  expect(toForkFlags('liteserver')).toEqual(['--fork', resolve('liteserver')]);
  expect(toForkFlags({ globalConfig: '/c.json', at: 7 })).toEqual([
    '--fork',
    'liteserver',
    '--at',
    '7',
    '--global-config',
    '/c.json',
  ]);
});

it('refuses a fork of nothing', () => {
  expect(() => toForkFlags([])).toThrow('at least one path');
  expect(() => toForkFlags(['/a.boc', ''])).toThrow('at least one path');
});
