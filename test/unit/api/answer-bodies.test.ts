import { beginCell, type Cell } from '@ton/core';
import { expect, it, vi } from 'vitest';
import { knownBodies } from '../../../src/api/known-bodies.ts';
import { AnswerBodies } from '../../../src/api/v3/answers/answer-bodies.ts';
import type { BodyDecoder } from '../../../src/ton/bodies/body-decoder.ts';

/** A comment of so many cells of 127 bytes. */
function comment(cells: number): Uint8Array {
  let next: Cell | null = null;
  for (let i = 1; i < cells; i++) {
    const cell = beginCell().storeStringTail('x'.repeat(127));
    next = (next ? cell.storeRef(next) : cell).endCell();
  }
  const first = beginCell().storeUint(0, 32).storeStringTail('text');
  return (next ? first.storeRef(next) : first).endCell().toBoc();
}

it('a body that is in an answer twice is shown twice', () => {
  const bodies = new AnswerBodies({});
  const bag = comment(1);
  const shown = { '@type': 'text_comment', comment: 'text', type: 'text_comment' };
  expect([bodies.getDecoded('a', bag), bodies.getDecoded('a', bag)]).toEqual([shown, shown]);
});

/** A decoder that counts what it decodes. */
function countingContext() {
  const known = knownBodies();
  const decode = vi.fn(known.decode.bind(known));
  return { decode, context: { bodies: { getName: () => null, decode } as unknown as BodyDecoder } };
}

it('a body is decoded for the first answer of a server that has it, whether a layout fits or not', () => {
  const { decode, context } = countingContext();
  const unknown = beginCell().storeUint(1, 20).endCell().toBoc();
  const show = (server: typeof context) => {
    const bodies = new AnswerBodies(server);
    return [bodies.getDecoded('a', comment(1)), bodies.getDecoded('b', unknown)];
  };
  const first = show(context);
  expect(first).toEqual([{ '@type': 'text_comment', comment: 'text', type: 'text_comment' }, null]);
  expect(show(context)).toEqual(first);
  expect(decode).toHaveBeenCalledTimes(2);
  expect(show({ ...context })).toEqual(first);
  expect(decode).toHaveBeenCalledTimes(4);
});

it('a body that had no room in one answer is decoded for the next', () => {
  const { context } = countingContext();
  const bag = comment(1_000);
  const bodies = new AnswerBodies(context);
  while ('value' in bodies.decode(bag));
  expect(bodies.getDecoded('a', bag)).toBeNull();
  expect(new AnswerBodies(context).getDecoded('a', bag)).not.toBeNull();
});

it('an answer is too large at the same body, whether bodies are the same or only look so', () => {
  const bag = comment(1_000);
  const [same, other] = [new AnswerBodies({}), new AnswerBodies({})];
  const shown = Array.from({ length: 200 }, () => same.getDecoded('a', bag) !== null);
  expect(shown).toEqual(Array.from({ length: 200 }, (_, i) => other.getDecoded(`${i}`, bag) !== null));
  expect(shown[0]).toBe(true);
  expect(shown.at(-1)).toBe(false);
});
