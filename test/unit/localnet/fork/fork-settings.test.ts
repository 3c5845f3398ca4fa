import { expect, it } from 'vitest';
import { checkFork, LOCALNET } from '../../../../src/localnet/local-chain.ts';

const check = (fork: readonly string[], at?: string, source: string | null = LOCALNET) =>
  checkFork(source, { fork: [...fork], at });

it('takes a fork of files, and one of a lite server with its block', () => {
  check([]);
  check(['a.boc', 'b']);
  check(['liteserver']);
  check(['liteserver'], '60000000');
  check(['liteserver'], `5:${'ab'.repeat(32)}:${'cd'.repeat(32)}`);
});

it('refuses what cannot be used together', () => {
  expect(() => check(['liteserver', 'a.boc'])).toThrow('nothing else with --fork liteserver');
  expect(() => check(['a.boc'], '5')).toThrow('nothing without --fork liteserver');
  expect(() => check([], '5')).toThrow('nothing without --fork liteserver');
  expect(() => check(['liteserver'], 'now')).toThrow('a masterchain seqno');
  expect(() => check(['liteserver'], '5', 'liteserver')).toThrow('no local chain');
});
