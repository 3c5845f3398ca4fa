import { beginCell, type Cell, Dictionary } from '@ton/core';
import { methodId } from '../../src/ton/contracts/codes/method-id.ts';

/** A code with get methods, hex of their instructions; `0` is what receives messages. */
export function codeOf(instructions: Readonly<Record<string, string>>): Cell {
  const methods = Dictionary.empty(Dictionary.Keys.Int(19), {
    serialize: (body: Buffer, builder) => builder.storeBuffer(body),
    parse: () => Buffer.alloc(0),
  });
  for (const [method, hex] of Object.entries(instructions))
    methods.set(method === '0' ? 0 : methodId(method), Buffer.from(hex, 'hex'));
  // SETCP0, 19 DICTPUSHCONST, DICTIGETJMPZ, 11 THROWARG
  const dictionary = beginCell().storeDictDirect(methods).endCell();
  return beginCell().storeBuffer(Buffer.from('ff00f4a413f4bcf2c80b', 'hex')).storeRef(dictionary).endCell();
}
