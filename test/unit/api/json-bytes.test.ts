import { expect, it } from 'vitest';
import { jsonBytes } from '../../../src/api/http/json-bytes.ts';

it.each([
  ['an empty answer', {}],
  ['an empty list', []],
  ['a list', [{ a: 1 }, null, 'x']],
  ['fields', { a: 1, b: null, c: [1, { d: '2' }], e: { f: true } }],
  ['fields that are absent', { a: undefined, b: 1, c: undefined, d: undefined }],
  ['values within that are absent', { a: { b: undefined, c: 1 }, d: [undefined] }],
  [
    'long lists',
    { a: Array.from({ length: 60 }, (_, at) => ({ at, text: `é${at}` })), b: 1, c: Array(51).fill(null) },
  ],
  [
    'a list of as many rows as are written in one chunk',
    { a: Array(25).fill([]), b: Array(50).fill(undefined) },
  ],
  ['names and texts that need escapes', { 'a"\n': 'é\u2028"\\', '\ud800': '\udfff' }],
])('is what JSON.stringify writes: %s', async (_name, answer) => {
  expect((await jsonBytes(answer)).toString()).toBe(JSON.stringify(answer));
});
