/* Names and orders of multisigs in their newest states. */
import type { LakeSources } from './sources.ts';
import { isVisible } from './visible.ts';

const COLUMNS = [
  ...['account', 'workchain', 'lt', 'details'],
  ...['has_owner', 'owner', 'owner_workchain', 'has_parent', 'parent', 'parent_workchain'],
];

/**
 * The newest visible states of contracts of some kinds, with `domain`: those read from cells, and those that get methods
 * identify. An order counts only if its multisig gives its orders this code, or confirmed the order by a get method.
 */
export function newestContracts(sources: LakeSources, ...kinds: readonly string[]): string {
  const { contracts, detections } = sources.databases;
  const list = COLUMNS.map((name) => `s.${name} AS ${name}`).join(', ');
  const isOne = `s.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
  const newest = (projection: string, table: string, key: string) =>
    `(SELECT * FROM ${table} AS x WHERE ${isVisible(sources, projection, 'x')} ORDER BY x.lt DESC LIMIT 1 BY ${key})`;
  const states = newest('contracts', `${contracts}.contract_states`, 'x.account, x.workchain');
  const named = `SELECT m.account, m.workchain, m.child_code FROM ${states} AS m WHERE m.kind = 'multisig' AND NOT m.is_gone`;
  const isNamed = `(s.kind != 'multisig_order' OR (s.parent, s.parent_workchain, s.child_code) IN (${named}))`;
  const known = `SELECT ${list}, s.domain AS domain FROM ${states} AS s WHERE ${isOne} AND NOT s.is_gone AND ${isNamed}`;
  if (detections === undefined) return `(${known})`;
  const outcomes = newest('detections', `${detections}.detected_contracts`, 'x.account, x.workchain, x.kind');
  const detected = `SELECT ${list}, JSONExtractString(s.details, 'domain') AS domain FROM ${outcomes} AS s WHERE ${isOne} AND s.reason = ''`;
  return `(SELECT * FROM (${known} UNION ALL ${detected}) AS u ORDER BY u.lt DESC LIMIT 1 BY u.account, u.workchain)`;
}
