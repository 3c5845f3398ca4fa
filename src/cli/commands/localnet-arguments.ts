import { resolve } from 'node:path';
import { localnetDirectory } from '../../localnet/local-chain.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { SettingError } from '../../platform/config/setting.ts';
import { parseAddress } from '../../ton/address/address.ts';

/** The state folder of the data directory's chain. */
export function getChainDirectory(flags: Record<string, unknown>): string {
  return localnetDirectory(resolve(resolveSettings(['data'], flags).data));
}

/** Reads TON with up to nine decimal digits, in nanotons. @throws SettingError */
export function nanotons(text: string): bigint {
  const [, whole, part = ''] = /^(\d{1,20})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === undefined)
    throw new SettingError('AMOUNT', { found: text, allowed: 'TON, as 1 or 0.25', origin: 'command line' });
  return BigInt(whole + part.padEnd(9, '0'));
}

/** Reads a whole number from 1. @throws SettingError */
export function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new SettingError(name, { found: text, allowed: 'a whole number from 1', origin: 'command line' });
  return Number(text);
}

/** Returns the text of an address as it is. @throws SettingError */
export function checkAddress(name: string, text: string): string {
  if (parseAddress(text)) return text;
  throw new SettingError(name, {
    found: text,
    allowed: 'an address, raw or friendly',
    origin: 'command line',
  });
}
