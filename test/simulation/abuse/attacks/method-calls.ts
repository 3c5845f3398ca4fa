import { type Call, jsonCall } from '../http-call.ts';

/** A call of a get method by every way that the APIs have. */
export function methodCalls(address: string, method: string, numbers: readonly number[] = []): Call[] {
  const v3 = numbers.map((value) => ({ type: 'num', value: String(value) }));
  const legacy = numbers.map((value) => ['num', String(value)]);
  const typed = numbers.map((value) => ({
    '@type': 'tvm.stackEntryNumber',
    number: { '@type': 'tvm.numberDecimal', number: String(value) },
  }));
  return callsWith(address, method, { v3, legacy, typed });
}

/** The same cell as the only argument, in every form; `kind`: as a cell or as a slice. */
export function cellCalls(
  address: string,
  method: string,
  bag: Buffer,
  kind: 'cell' | 'slice' = 'cell',
): Call[] {
  const boc = bag.toString('base64');
  const name = kind === 'cell' ? 'Cell' : 'Slice';
  return callsWith(address, method, {
    v3: [{ type: kind, value: boc }],
    legacy: [[`tvm.${name}`, boc]],
    typed: [{ '@type': `tvm.stackEntry${name}`, [kind]: { '@type': `tvm.${kind}`, bytes: boc } }],
  });
}

interface Arguments {
  readonly v3: unknown;
  readonly legacy: unknown;
  readonly typed: unknown;
}

function callsWith(address: string, method: string, { v3, legacy, typed }: Arguments): Call[] {
  return [
    jsonCall('/api/v3/runGetMethod', { address, method, stack: v3 }),
    jsonCall('/api/v2/runGetMethod', { address, method, stack: legacy }),
    jsonCall('/api/v2/runGetMethodStd', { address, method, stack: typed }),
    rpcCall('runGetMethod', { address, method, stack: legacy }),
  ];
}

export function rpcCall(method: string, params: unknown): Call {
  return jsonCall('/api/v2/jsonRPC', { jsonrpc: '2.0', id: 1, method, params });
}

/** An external message by every way that takes one. */
export function messageCalls(bag: Buffer): Call[] {
  const boc = bag.toString('base64');
  return [
    jsonCall('/api/v3/message', { boc }),
    jsonCall('/api/v2/sendBoc', { boc }),
    jsonCall('/api/v2/sendBocReturnHash', { boc }),
  ];
}
