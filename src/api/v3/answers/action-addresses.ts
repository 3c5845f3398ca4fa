import type { ClassifiedAction, FactValue } from '../../classifier-port.ts';

const RAW = /^-?\d{1,10}:[0-9A-F]{64}$/;

/** Raw addresses that an action names: its accounts, and all in its columns and details (v3-rules.md 9). */
export function actionAddresses({ accounts, columns, details }: ClassifiedAction): Set<string> {
  const found = new Set(accounts);
  const add = (value: FactValue | undefined): void => {
    if (typeof value === 'string' && RAW.test(value)) found.add(value);
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) add(inner);
  };
  add(columns);
  if (details) add(details);
  return found;
}
