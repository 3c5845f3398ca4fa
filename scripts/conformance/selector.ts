import { valueAt } from './compare-values.ts';

/** A selector of a case is not of the form that cases use. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

const CONDITION = /^value\.([\w.[\]]+)\s*(==|!=)\s*(.+)$/;

function literal(text: string): string | null {
  if (text === 'None') return null;
  if (text === 'True' || text === 'False') return text.toLowerCase();
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted) return quoted[2] as string;
  try {
    return BigInt(text.replaceAll('_', '')).toString();
  } catch {
    throw new SelectorError(`selector: ${text} is no value`);
  }
}

function holds(condition: string, action: unknown): boolean {
  const parts = CONDITION.exec(condition.trim());
  if (!parts) throw new SelectorError(`selector: ${condition} is no comparison`);
  const [, path, sign, right] = parts as unknown as [string, string, string, string];
  const found = valueAt(action, path) ?? null;
  const isSame = (found === null ? null : String(found)) === literal(right.trim());
  return isSame === (sign === '==');
}

/**
 * Whether a condition `{{ value.path == literal and … or … }}` holds of an action's columns.
 * @throws SelectorError
 */
export function selects(selector: string, action: unknown): boolean {
  const inner = /^\s*\{\{(.*)\}\}\s*$/s.exec(selector)?.[1] ?? selector;
  return inner
    .split(/\s+or\s+/)
    .some((either) => either.split(/\s+and\s+/).every((condition) => holds(condition, action)));
}
