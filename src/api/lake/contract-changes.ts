/*
 * States of contracts, one a change: those read from cells, and those that only get methods identify. Records of get methods
 * have no time: it is that of the account's transaction.
 */
import type { LakeSources } from './sources.ts';
import { isVisible } from './visible.ts';

const PLACE = ['account', 'workchain', 'lt'];
const PARTIES = ['has_owner', 'owner', 'owner_workchain', 'has_parent', 'parent', 'parent_workchain'];
const TOKEN = [...PLACE, ...PARTIES, 'kind', 'code_hash', 'amount', 'flag', 'child_code', 'content'];
const SALE = [...PLACE, ...PARTIES, 'details'];

const list = (names: readonly string[]) => names.map((name) => `s.${name} AS ${name}`).join(', ');
const toKindCondition = (kinds: readonly string[]) =>
  `s.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;

/** FROM and WHERE of visible states read from cells, each with its transaction `t`. `isOne`: condition of a state `s`. */
function knownChanges(sources: LakeSources, table: string, isOne: string, join = ''): string {
  const { base, contracts } = sources.databases;
  return (
    `FROM ${base}.transactions AS t INNER JOIN ${contracts}.${table} AS s` +
    ` ON s.mc_seqno = t.mc_seqno AND s.lt = t.lt AND s.account = t.account AND s.workchain = t.workchain${join}` +
    ` WHERE ${isOne} AND NOT s.is_gone AND ${isVisible(sources, 'base', 't')} AND ${isVisible(sources, 'contracts', 's')}`
  );
}

/** The same of detected states. They are few, so their transactions are read by key. */
function detectedChanges(sources: LakeSources, table: string, isOne: string): string {
  const { base, detections } = sources.databases;
  const places = `SELECT s.account, s.workchain, s.lt FROM ${detections}.${table} AS s WHERE ${isOne}`;
  return (
    `FROM ${base}.transactions AS t INNER JOIN ${detections}.${table} AS s` +
    ` ON s.lt = t.lt AND s.account = t.account AND s.workchain = t.workchain` +
    ` WHERE ${isOne} AND (t.account, t.workchain, t.lt) IN (${places}) AND ${isVisible(sources, 'base', 't')} AND ${isVisible(sources, 'detections', 's')}`
  );
}

/**
 * States of tokens of some kinds, with `now` (Unix seconds) and `document`: the link to their content off the chain, or empty.
 * An item under a known code may be detected too, by its collection: a state counts once.
 */
export function tokenChanges(sources: LakeSources, ...kinds: readonly string[]): string {
  const { contracts, detections } = sources.databases;
  const own = `JSONExtractString(s.content, 'uri')`;
  const prefixes =
    `SELECT x.account AS account, x.workchain AS workchain, argMax(x.flag, x.lt) AS is_prefix, argMax(x.link, x.lt) AS prefix` +
    ` FROM ${contracts}.token_states AS x WHERE x.kind = 'nft_collection' AND ${isVisible(sources, 'contracts', 'x')} GROUP BY x.account, x.workchain`;
  const hasItems = kinds.includes('nft_item');
  const join = ` LEFT ANY JOIN (${prefixes}) AS p ON p.account = s.parent AND p.workchain = s.parent_workchain`;
  // Some collections have the beginning of a link that the item ends.
  const document = hasItems
    ? `if(s.kind = 'nft_item' AND s.has_parent AND ifNull(p.is_prefix, false), concat(p.prefix, s.link), ${own})`
    : own;
  const known = `SELECT ${list(TOKEN)}, t.now AS now, ${document} AS document ${knownChanges(sources, 'token_states', toKindCondition(kinds), hasItems ? join : '')}`;
  if (detections === undefined) return `(${known})`;
  const isOne = `${toKindCondition(kinds)} AND NOT s.is_gone`;
  const accounts = `SELECT s.account, s.workchain FROM ${detections}.token_states AS s WHERE ${isOne}`;
  const inCells =
    `SELECT s.kind, s.account, s.workchain, s.lt FROM ${contracts}.token_states AS s` +
    ` WHERE ${isOne} AND (s.account, s.workchain) IN (${accounts})`;
  const detected = `SELECT ${list(TOKEN)}, t.now AS now, ${own} AS document ${detectedChanges(sources, 'token_states', isOne)}`;
  return `(${known} UNION ALL ${detected} AND (s.kind, s.account, s.workchain, s.lt) NOT IN (${inCells}))`;
}

const SALES = ['nft_sale', 'nft_auction'];

/** States of sales and auctions, with `now` and `is_auction`. */
export function saleChanges(sources: LakeSources): string {
  const { detections } = sources.databases;
  const select = `SELECT ${list(SALE)}, t.now AS now, s.kind = 'nft_auction' AS is_auction`;
  const known = `${select} ${knownChanges(sources, 'contract_states', toKindCondition(SALES))}`;
  if (detections === undefined) return `(${known})`;
  const isOne = `${toKindCondition(SALES)} AND s.reason = ''`;
  const detected = `${select} ${detectedChanges(sources, 'contract_outcomes', isOne)}`;
  // A state may have been examined twice.
  return `(${known} UNION ALL ${detected} LIMIT 1 BY s.account, s.workchain, s.lt)`;
}
