import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { BASE_CONFIG } from '../base-config.ts';
import type { GetMethodRequest } from '../get-method.ts';
import { writeStack } from '../stack/write-stack.ts';

/** `SETCP0 DROP`: every method of this contract returns an empty stack. */
const CODE = toBase64(writeBag(new CellBuilder().uint(0xff0030, 24).cell()));

/** A brief get method. A thread runs it before its first real call, if no other call is known to be brief. */
export const FIRST_CALL: GetMethodRequest = {
  code: CODE,
  // The code does not read its data.
  data: CODE,
  methodId: 0x10000,
  stack: toBase64(writeStack([])),
  config: BASE_CONFIG,
  address: `0:${'00'.repeat(32)}`,
  now: 1_750_000_000,
  balance: 0n,
  gasLimit: 1_000_000n,
  randomSeed: new Uint8Array(32),
  libraries: null,
  prevBlocks: null,
};
