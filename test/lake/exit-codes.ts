/** Exit codes of the TVM and result codes of the action phase, as docs.ton.org lists them. */
import type { Row } from './lake-server.ts';

const COMPUTE: Readonly<Record<number, string>> = {
  0: 'success',
  1: 'success of an alternative continuation',
  2: 'stack underflow',
  3: 'stack overflow',
  4: 'integer overflow or division by zero',
  5: 'integer out of range',
  6: 'invalid opcode',
  7: 'type check error',
  8: 'cell overflow',
  9: 'cell underflow',
  10: 'dictionary error',
  11: 'unknown error',
  12: 'fatal error',
  13: 'out of gas',
  [-14]: 'out of gas',
  14: 'virtualization error',
};

const ACTION: Readonly<Record<number, string>> = {
  32: 'invalid action list',
  33: 'too many actions',
  34: 'invalid or unsupported action',
  35: 'invalid source address',
  36: 'invalid destination address',
  37: 'not enough TON',
  38: 'not enough extra currencies',
  39: 'message does not fit into a cell',
  40: 'message cannot be processed',
  41: 'null library reference',
  42: 'library change error',
  43: 'library limits exceeded',
  50: 'account state size limits exceeded',
};

const toRows = (phase: string, codes: Readonly<Record<number, string>>): readonly Row[] =>
  Object.entries(codes).map(([code, meaning]) => ({ code: Number(code), phase, meaning }));

/** Rows of `exit_codes`. */
export const EXIT_CODES: readonly Row[] = [...toRows('compute', COMPUTE), ...toRows('action', ACTION)];
