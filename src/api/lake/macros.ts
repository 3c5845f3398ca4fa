import { quoted } from '../../platform/clickhouse/quoted.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { bodyLayouts } from '../../ton/bodies/body-layouts.ts';
import { INTERFACES_BY_CODE } from '../../ton/contracts/codes/interface-table.ts';
import { knownLayouts } from '../known-bodies.ts';
import { bagText } from './bag-text.ts';
import { saleChanges, tokenChanges } from './contract-changes.ts';
import { newestByDay, newestWalletsByDay } from './days-view.ts';
import { detectedBalances, detectedDays, detectedHolders, detectedLatest } from './detected-tokens.ts';
import { lookupColumns } from './dictionaries.ts';
import { isNamedByMaster, jettonHours, jettonMoves, namedWalletCodes } from './jetton-moves.ts';
import { type LookupName, lookupName } from './lookup-names.ts';
import { newestContracts } from './newest-contracts.ts';
import { nftMoves } from './nft-moves.ts';
import { lastVisible } from './range-view.ts';
import type { LakeSources } from './sources.ts';
import { visibleSums } from './sums-view.ts';
import {
  isDollar,
  isKnownTrade,
  isTon,
  projectType,
  tons,
  volumeInDollars,
  volumeInTon,
} from './trade-macros.ts';
import { isVisible } from './visible.ts';

/** A macro that a view names and that does not exist. */
export class LakeMacroError extends DataError {
  constructor(macro: string) {
    super(`unknown macro in a view of the lake: {${macro}}`);
  }
}

type Macro = (sources: LakeSources, ...words: string[]) => string;

const NULL_TEXT = `CAST(NULL, 'Nullable(String)')`;
const MACROS: Readonly<Record<string, Macro>> = {
  network: ({ network }) => network,
  views: ({ lake }) => lake,
  visible: (sources, projection = '', alias = '') => isVisible(sources, projection, alias),
  /** Base64 of a 32-byte hash; null for zero bytes, which mean none. */
  hash: (_, hash = '') => `if(${hash} = toFixedString('', 32), NULL, base64Encode(${hash}))`,
  /** Decimal(38, 0); null beyond 38 digits. */
  decimal: (_, number = '') => `toDecimal128OrNull(toString(${number}), 0)`,
  trace_id: toTraceId,
  /** A column of the packed transaction of `t`. */
  transaction: (sources, column = '') =>
    lookUp(sources, 'transactions', column, '(t.lt, reinterpretAsUInt64(reverse(substring(t.hash, 1, 8))))'),
  before: (sources, what = '') => stateBefore(sources, what),
  after: (sources, what = '') => findState(sources, what, 't.lt'),
  /** A fact of the state after the account's previous transaction, if that was the last one of its block. */
  previous: (sources, what = '') => findState(sources, what, 't.prev_trans_lt'),
  comment: (_, bag = '') => bagText(bag),
  text_comment: (_, bag = '') =>
    `if(startsWith(${bagText(bag, 'op')}, unhex('00000000')), ${bagText(bag)}, NULL)`,
  known_wallet: (sources, alias = '') => knownWallet(sources, alias),
  named_wallet_codes: ({ databases }) => namedWalletCodes(databases),
  /** Sums by hour of a table of src/tables/sums/base-sums.ts, of the visible steps. */
  sums: visibleSums,
  newest_by_day: newestByDay,
  newest_wallets_by_day: newestWalletsByDay,
  newest_accounts: (sources) => newest(sources, 'base', ACCOUNTS),
  newest_timed_accounts: (sources) => newest(sources, 'base', TIMED_ACCOUNTS),
  newest_tokens: (sources) => newest(sources, 'contracts', TOKENS),
  newest_timed_tokens: (sources) => newest(sources, 'contracts', TIMED_TOKENS),
  newest_contracts: newestContracts,
  of_kind: ({ databases }, kind = '') => ofKind(databases, kind),
  interface: (_, hash = '') => {
    const entries = Object.entries(INTERFACES_BY_CODE);
    const list = (at: 0 | 1) => `[${entries.map((entry) => quoted(entry[at].trim())).join(', ')}]`;
    return `transform(base64Encode(${hash}), ${list(0)}, ${list(1)}, '')`;
  },
  opcodes: () => {
    const entries = [...bodyLayouts(knownLayouts()).byOp]
      .sort(([a], [b]) => a - b)
      .flatMap(([op, layouts]) => layouts.map(({ source }) => `(${op | 0}, ${quoted(source.name)})`));
    // Several layouts of an opcode may have one name.
    return [...new Set(entries)].join(', ');
  },
  /** A field of a token's content: on the chain, else of its document. */
  jetton_field: (_, field = '') => {
    const get = (json: string) =>
      field === 'decimals'
        ? `replaceAll(JSONExtractRaw(${json}, '${field}'), '"', '')`
        : `JSONExtractString(${json}, '${field}')`;
    return `nullIf(if(JSONHas(s.content, '${field}'), ${get('s.content')}, ${get("ifNull(c.content, '')")}), '')`;
  },
  jetton_source: (_, field = '') =>
    `multiIf(JSONHas(s.content, '${field}'), 'onchain', JSONHas(ifNull(c.content, ''), '${field}'), 'offchain', '')`,
  /** Text of a field of `details`, null if it is absent or null. `a`: the action or the contract. */
  detail: (_, field = '') => `nullIf(JSONExtractString(a.details, '${field}'), '')`,
  amount: (_, field = '') => `toDecimal128OrNull(JSONExtractString(a.details, '${field}'), 0)`,
  known_trade: (sources, alias = '') => isKnownTrade(sources, alias, isVisible(sources, 'lake', alias)),
  known_pool: (sources, alias = '') => isKnownTrade(sources, alias, '1'),
  project_type: (_, project = '') => projectType(project),
  is_ton: (_, token = '') => isTon(token),
  is_dollar: (_, token = '') => isDollar(token),
  tons,
  volume_ton: volumeInTon,
  volume_usd: volumeInDollars,
  pool_start: (sources, pool = '') =>
    `dictGet('${lookupName(sources, 'pool_starts')}', 'start', tuple(${pool}))`,
  jetton_moves: (sources) => jettonMoves(sources, { hasMints: true, traceId: traceOfMove(sources) }),
  jetton_hours: (sources) => jettonHours(sources, { hasMints: true }),
  /** The same of versions that have no mints. */
  older_jetton_moves: (sources) => jettonMoves(sources, { hasMints: false, traceId: traceOfMove(sources) }),
  older_jetton_hours: (sources) => jettonHours(sources, { hasMints: false }),
  nft_moves: nftMoves,
  token_changes: tokenChanges,
  sale_changes: saleChanges,
  detected_balances: detectedBalances,
  detected_days: detectedDays,
  detected_holders: detectedHolders,
  detected_latest: (sources) =>
    sources.databases.detections === undefined
      ? ''
      : detectedLatest(newest(sources, 'detections', TIMED_TOKENS), sources),
};

const traceOfMove = (sources: LakeSources) => toTraceId(sources, 'e.account', 'e.workchain', 'e.lt');

/** The wallet's master names its code, by cells or by get methods, or get methods identified the wallet. */
function knownWallet(sources: LakeSources, alias: string): string {
  const isNamed = isNamedByMaster(sources, alias);
  const { detections } = sources.databases;
  if (detections === undefined) return isNamed;
  const wallets = `SELECT account, workchain FROM ${detections}.token_firsts WHERE kind = 'jetton_wallet'`;
  return `(${isNamed} OR (${alias}.account, ${alias}.workchain) IN (${wallets}))`;
}

/** Kinds of accounts now, from cells or get methods. */
function ofKind({ contracts, detections }: LakeSources['databases'], kind: string): string {
  const select = (database: string) =>
    `SELECT account, workchain FROM ${database}.tokens_latest FINAL WHERE kind = '${kind}' AND NOT is_gone`;
  return `(${[contracts, detections].flatMap((one) => (one === undefined ? [] : [select(one)])).join(' UNION ALL ')})`;
}

/** The trace of a transaction; null while it is not indexed. */
function toTraceId(sources: LakeSources, account = '', workchain = '', lt = ''): string {
  if (sources.databases.traces === undefined) return NULL_TEXT;
  const place = `dictGet('${lookupName(sources, 'trace_places')}', ('start_lt', 'trace8'), (${account}, ${workchain}, ${lt}))`;
  return `nullIf(dictGet('${lookupName(sources, 'trace_ids')}', 'id', ${place}), '')`;
}

/** Tables of states, and of the newest ones. `kind`: end of their key. */
interface NewestTables {
  readonly latest: string;
  readonly states: string;
  readonly columns: string;
  readonly kind: string;
}

const ACCOUNTS: NewestTables = {
  latest: 'accounts_latest',
  states: 'account_states',
  kind: '',
  columns: 'mc_seqno, workchain, account, lt, last_trans_hash, status, balance, code_hash, last_paid, origin',
};
const TOKENS: NewestTables = {
  latest: 'tokens_latest',
  states: 'token_states',
  kind: ', kind',
  columns:
    'mc_seqno, workchain, account, lt, kind, is_gone, code_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, content, link',
};

/** Accounts with the time of their last transaction, which older versions lack. */
const TIMED_ACCOUNTS: NewestTables = { ...ACCOUNTS, columns: `${ACCOUNTS.columns}, now` };
/** Tokens with the time of their last transaction, which older versions lack. */
const TIMED_TOKENS: NewestTables = { ...TOKENS, columns: `${TOKENS.columns}, now` };

/**
 * The newest visible row of each key. `latest` has only the newest rows: those of steps that are not visible yet give way
 * to the ones before, from `states`.
 */
function newest(
  sources: LakeSources,
  projection: string,
  { latest, states, columns, kind }: NewestTables,
): string {
  const database = sources.databases[projection];
  const last = lastVisible(sources, projection);
  const key = `account, workchain${kind}`;
  return (
    `(SELECT ${columns} FROM ${database}.${latest} FINAL WHERE mc_seqno <= ${last}` +
    ` UNION ALL SELECT ${columns} FROM ${database}.${states} WHERE (${key}) IN (SELECT ${key} FROM ${database}.${latest} WHERE mc_seqno > ${last})` +
    ` AND mc_seqno <= ${last} ORDER BY lt DESC LIMIT 1 BY ${key})`
  );
}

/** A column of a look-up. All columns are asked for at once: the server then asks once for a row. */
function lookUp(sources: LakeSources, name: LookupName, column: string, key: string): string {
  const columns = lookupColumns(name);
  const list = columns.map((one) => `'${one}'`).join(', ');
  return `tupleElement(dictGet('${lookupName(sources, name)}', (${list}), ${key}), ${columns.indexOf(column) + 1})`;
}

/** A fact of the account of `t` after the transaction at a logical time: `balance` or `code`; null if no block has that state. */
function findState(sources: LakeSources, what: string, lt: string): string {
  const get = (column: string) => lookUp(sources, 'states', column, `(t.account, t.workchain, ${lt})`);
  return what === 'balance'
    ? `if(${get('is_found')} = 1, toInt64(${get('balance')}), NULL)`
    : `nullIf(${get('code')}, '')`;
}

/** Facts of the packed state before the transaction of `t` (src/ton/columns/state-pack.ts): `present`, `balance`, `code_hash`. */
function stateBefore(sources: LakeSources, what: string): string {
  const states = MACROS.transaction!(sources, 'states');
  const byte = (at: string) => `reinterpretAsUInt8(substring(${states}, ${at}, 1))`;
  const size = byte('3');
  if (what === 'present') return `bitAnd(${byte('2')}, 1) = 1`;
  if (what === 'balance') return `toInt64(reinterpretAsUInt64(substring(${states}, 4, ${size})))`;
  // A state with extra currencies (8) has them before its code hash (16): a count, then an id and an amount each.
  const end = `4 + ${size}`;
  const count = `reinterpretAsUInt16(substring(${states}, ${end}, 2))`;
  const next = `toUInt64(at + 5 + reinterpretAsUInt8(substring(${states}, at + 4, 1)))`;
  const afterExtra = `arrayFold((at, i) -> ${next}, range(${count}), toUInt64(${end} + 2))`;
  const start = `if(bitAnd(${byte('2')}, 8) = 0, toUInt64(${end}), ${afterExtra})`;
  return `if(bitAnd(${byte('2')}, 16) = 16, base64Encode(substring(${states}, ${start}, 32)), NULL)`;
}

/** The statement with its macros replaced. @throws LakeMacroError */
export function expandView(select: string, sources: LakeSources): string {
  return select.replaceAll(/\{(\w+)((?: [^{}]+)?)\}/g, (_whole, name: string, rest: string) => {
    const words = rest.split(' ').filter((word) => word !== '');
    const database = sources.databases[name];
    if (database !== undefined && words.length === 0) return database;
    const macro = MACROS[name];
    if (!macro) throw new LakeMacroError(name);
    return macro(sources, ...words);
  });
}
