import { beginCell, type Cell } from '@ton/core';
import { expect, it } from 'vitest';
import { AnswerBodies } from '../../../src/api/v3/answers/answer-bodies.ts';

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
  expect([bodies.decodedOf('a', bag), bodies.decodedOf('a', bag)]).toEqual([shown, shown]);
});

it('an answer is too large at the same body, whether bodies are the same or only look so', () => {
  const bag = comment(1_000);
  const [same, other] = [new AnswerBodies({}), new AnswerBodies({})];
  const shown = Array.from({ length: 200 }, () => same.decodedOf('a', bag) !== null);
  expect(shown).toEqual(Array.from({ length: 200 }, (_, i) => other.decodedOf(`${i}`, bag) !== null));
  expect(shown[0]).toBe(true);
  expect(shown.at(-1)).toBe(false);
});
