import { Body } from '../../src/projections/actions/body/body.ts';
import { conditionIn, holds } from './condition.ts';
import { valueAt } from './value-at.ts';

/** A field of a case that the action does not have as expected. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBag = (value: unknown): value is string => typeof value === 'string' && value.startsWith('te6');

/** Other writers order the cells of a bag differently: only the root counts. */
function sameRoot(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => Body.of(Buffer.from(text, 'base64')).hash().toHex());
  return left === right;
}

/** A double that holds fewer digits than the written number is compared at its own precision. */
const isRounded = (value: unknown): value is number =>
  typeof value === 'number' && !Number.isSafeInteger(value);

/** Numbers may be text on one side; absent is null; lists are compared as sets of one length; a text `{{ … }}` is a condition. */
function isEqual(expected: unknown, got: unknown): boolean {
  const condition = conditionIn(expected);
  if (condition !== null) return holds(condition, got);
  if (Array.isArray(expected)) return Array.isArray(got) && sameLists(expected, got);
  if (isFields(expected)) return findDifferences(expected, got).length === 0;
  if (expected === null || got === null || got === undefined) return (expected ?? null) === (got ?? null);
  if (isBag(expected) && isBag(got)) return expected === got || sameRoot(expected, got);
  if (isRounded(expected) && typeof got !== 'boolean') return Number(got) === expected;
  return String(expected) === String(got);
}

function sameLists(expected: readonly unknown[], got: readonly unknown[]): boolean {
  const open = [...got];
  for (const one of expected) {
    const place = open.findIndex((other) => isEqual(one, other));
    if (place === -1) return false;
    open.splice(place, 1);
  }
  return open.length === 0;
}

/** Expected fields that the value does not have; fields not listed are not compared. */
export function findDifferences(expected: Fields, got: unknown): Difference[] {
  const differences: Difference[] = [];
  for (const [path, value] of Object.entries(expected)) {
    const found = path in ((got as Fields | null) ?? {}) ? (got as Fields)[path] : valueAt(got, path);
    if (isFields(value) && isFields(found))
      differences.push(
        ...findDifferences(value, found).map((one) => ({ ...one, path: `${path}.${one.path}` })),
      );
    else if (!isEqual(value, found)) differences.push({ path, expected: value, got: found });
  }
  return differences;
}
