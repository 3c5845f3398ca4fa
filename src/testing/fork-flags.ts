import { resolve } from 'node:path';
import type { LiteserverFork, StartOptions } from './localnet.ts';

/** Flags of `tonhouse up` for the option `fork`; none without it. @throws TypeError: it names nothing to load */
export function toForkFlags(fork: StartOptions['fork']): string[] {
  if (fork === undefined) return [];
  if (isLiteserverFork(fork)) {
    const { globalConfig, at } = fork;
    return ['--fork', 'liteserver', '--at', `${at}`, '--global-config', resolve(globalConfig)];
  }
  const paths = typeof fork === 'string' ? [fork] : fork;
  if (paths.length === 0 || paths.includes(''))
    throw new TypeError(`fork: expected at least one path, and no empty one; found ${JSON.stringify(fork)}`);
  // An absolute path is never the word `liteserver`.
  return paths.flatMap((path) => ['--fork', resolve(path)]);
}

function isLiteserverFork(fork: NonNullable<StartOptions['fork']>): fork is LiteserverFork {
  return typeof fork === 'object' && 'globalConfig' in fork;
}
