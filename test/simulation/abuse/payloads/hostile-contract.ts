import { readFileSync } from 'node:fs';
import { runTolkCompiler } from '@ton/tolk-js';
import type { Cell } from '../../../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { readCell } from '../../../../src/ton/cell/cells-of-bag.ts';
import { fromBase64 } from '../../../../src/ton/hash/base64.ts';
import type { AccountAddress } from '../../../../src/ton/store/store-address.ts';
import { stateInitHash } from '../../../../src/ton/store/store-state-init.ts';

/** The contract of hostile.tolk, ready to be deployed. */
export interface HostileContract {
  readonly address: AccountAddress;
  readonly code: Cell;
  readonly data: Cell;
}

/** `number` distinguishes contracts of one code. */
export async function compileHostileContract(number: number): Promise<HostileContract> {
  const result = await runTolkCompiler({
    entrypointFileName: 'hostile.tolk',
    fsReadCallback: (path) => readFileSync(new URL(path, import.meta.url), 'utf8'),
  });
  if (result.status === 'error') throw new Error(result.message);
  const code = readCell(fromBase64(result.codeBoc64)!);
  const data = new CellBuilder().uint(number, 32).cell();
  return { address: { workchain: 0, address: stateInitHash(code, data) }, code, data };
}

/** Orders that its external messages carry: see hostile.tolk. */
export const HOSTILE_ORDER = { storeDeep: 1, sendDeep: 2, runAway: 3 } as const;
