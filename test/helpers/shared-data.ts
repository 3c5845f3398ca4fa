import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from 'vitest';

const folder = resolve(import.meta.dirname, '../../../shared/data');

/** The folder of real chain data next to the checkout, or null if it is absent. */
export const sharedData: string | null = existsSync(folder) ? folder : null;

/** A suite over the real data; without the data it is skipped with a notice. */
export function describeWithData(name: string, define: (data: string) => void): void {
  if (sharedData) {
    const data = sharedData;
    describe(name, () => define(data));
  } else {
    console.log(`skipped: ${name}: ../shared/data is not here`);
    describe.skip(`${name} (../shared/data is not here)`, () => {});
  }
}
