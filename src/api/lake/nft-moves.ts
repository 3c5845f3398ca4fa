/* Transfers of NFT items. */
import { addressText } from '../../tables/views/text-forms.ts';
import type { LakeSources } from './sources.ts';
import { isVisible } from './visible.ts';

/** Columns of `token_transfers` that `nft_transfers` shows, without those that get methods may replace. */
const COLUMNS = [
  ...['kind', 'hash', 'lt', 'now', 'aborted', 'query_id', 'workchain', 'account'],
  ...['has_source', 'source', 'source_workchain', 'has_destination', 'destination', 'destination_workchain'],
  ...[
    'has_response',
    'response',
    'response_workchain',
    'custom_payload',
    'forward_amount',
    'forward_payload',
  ],
];
const OF_ITEM = ['has_parent', 'parent', 'parent_workchain', 'amount'];

/**
 * Transfers in the columns of `token_transfers`. The item belongs to no collection, or its collection names its code, or get
 * methods identified it: they have its collection and index.
 */
export function nftMoves(sources: LakeSources): string {
  const { contracts, detections } = sources.databases;
  const isOne = `e.kind = 'nft_transfer' AND ${isVisible(sources, 'contracts', 'e')}`;
  const list = (alias: string, names: readonly string[]) =>
    names.map((name) => `${alias}.${name} AS ${name}`).join(', ');
  const from = `FROM ${contracts}.token_transfers AS e`;
  const firsts = (columns: string, where: string, database = contracts) =>
    `SELECT ${columns} FROM ${database}.token_firsts WHERE ${where}`;
  const isNamed = `e.has_parent AND (e.parent, e.parent_workchain, e.child_code) IN (${firsts('account, workchain, child_code', "kind = 'nft_collection'")})`;
  const isSingle = `NOT e.has_parent AND (e.account, e.workchain) IN (${firsts('account, workchain', "kind = 'nft_item' AND NOT has_parent")})`;
  const known = `SELECT ${list('e', [...COLUMNS, ...OF_ITEM])} ${from} WHERE ${isOne} AND ((${isNamed}) OR (${isSingle}))`;
  if (detections === undefined) return `(${known})`;
  const items =
    `(SELECT x.account AS account, x.workchain AS workchain, ${OF_ITEM.map((name) => `argMax(x.${name}, x.lt) AS ${name}`).join(', ')}` +
    ` FROM ${detections}.token_states AS x WHERE x.kind = 'nft_item' AND ${isVisible(sources, 'detections', 'x')} GROUP BY x.account, x.workchain)`;
  // The index by the text of the item finds the rows.
  const isFound = `toNullable(${addressText('e.account', 'e.workchain')}) IN (SELECT ${addressText('y.account', 'y.workchain')} FROM ${items} AS y)`;
  const detected =
    `SELECT ${list('e', COLUMNS)}, ${list('d', OF_ITEM)} ${from} INNER JOIN ${items} AS d ON d.account = e.account AND d.workchain = e.workchain` +
    ` WHERE ${isOne} AND NOT ((${isNamed}) OR (${isSingle})) AND ${isFound}`;
  return `(${known} UNION ALL ${detected})`;
}
