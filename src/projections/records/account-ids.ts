import { keySet } from '../../platform/clickhouse/key-set.ts';

/** The right side of `account IN` for accounts (`workchain:hex`), whatever their workchain. */
export function accountIds(accounts: readonly string[]): string {
  const ids = accounts.map((raw) => [Buffer.from(raw.split(':')[1]!, 'hex')]);
  return keySet(['FixedString(32)'], ids);
}
