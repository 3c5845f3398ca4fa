import type { ClassifiedAction } from '../../classifier-port.ts';

const RAW = /^-?\d{1,10}:[0-9A-F]{64}$/;
/** Fields that hold what people wrote: an address there is a text. */
const WRITTEN: ReadonlySet<string> = new Set(['comment', 'text']);

/** Raw addresses anywhere in the columns or details of an action, but in texts of people. */
export function addressesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') {
    if (RAW.test(value)) found.add(value);
  } else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) if (!WRITTEN.has(name)) addressesIn(inner, found);
  return found;
}

/** Raw addresses that actions name: all in their columns and details (v3-rules.md 9), and their accounts where these are shown. */
export function addressesOfActions(actions: readonly ClassifiedAction[], withAccounts: boolean): string[] {
  const named = actions.map(({ accounts, columns, details }) => [
    columns,
    details,
    withAccounts ? accounts : [],
  ]);
  return [...addressesIn(named)];
}
