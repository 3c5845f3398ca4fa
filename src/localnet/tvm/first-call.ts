import { toBase64 } from '../../ton/hash/base64.ts';
import { type GetMethodRequest, methodId } from '../../ton/tvm/get-method.ts';
import { writeStack } from '../../ton/tvm/write-stack.ts';
import { BASE_CONFIG } from '../genesis/base-config.ts';
import { SPECIAL_ACCOUNT_CODE } from '../genesis/special-account-code.ts';

/** A brief get method. A thread runs it before its first real call, if no other call is known to be brief. */
export const FIRST_CALL: GetMethodRequest = {
  code: SPECIAL_ACCOUNT_CODE,
  // Any cell will do: the result is not used.
  data: SPECIAL_ACCOUNT_CODE,
  methodId: methodId('counters'),
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
