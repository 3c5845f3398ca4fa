import { expect, it } from 'vitest';
import { withNeeded } from '../../../../src/engine/demand/needed-projections.ts';
import type { TableProjection } from '../../../../src/engine/projection/projection.ts';

const made = (name: string, from: string) =>
  ({ name, input: { projection: from } }) as Pick<TableProjection, 'name' | 'input'>;
const ALL = [
  made('base', 'base'),
  made('traces', 'base'),
  made('actions', 'traces'),
  made('activity', 'base'),
];

it('adds what a projection is made from, and what that is made from', () => {
  expect(withNeeded(['actions'], ALL)).toEqual(['actions', 'traces', 'base']);
  expect(withNeeded(['activity', 'base'], ALL)).toEqual(['activity', 'base']);
});
