import { quoted } from '../../platform/clickhouse/quoted.ts';
import { LOOKUP_READS, type LookupName, lookupName } from './lookup-names.ts';
import type { LakeSources } from './sources.ts';
import { tokenPricesQuery } from './trade-macros.ts';

/** Account of the store that dictionaries read as, and the port at which the server finds itself. */
export interface DictionaryAccess {
  readonly user: string;
  readonly password: string;
  readonly port: number;
}

interface Lookup {
  readonly name: LookupName;
  readonly key: readonly (readonly [string, string])[];
  readonly values: readonly (readonly [string, string])[];
  readonly from: (database: string, sources: LakeSources) => string;
}

/**
 * A direct dictionary sends its keys as literals, up to 65,409 in a text. The old analyzer takes them at 3 to 10 µs a key, a
 * third of the time of the new one.
 */
const OLD_ANALYZER = 'SETTINGS enable_analyzer = 0';

/**
 * Look-ups of one fact by key. A column of a view that uses one costs nothing in a query that does not name the column; a
 * join would be paid by every query. Hashes are base64: a FixedString loses its last zero bytes as a String.
 */
const LOOKUPS: readonly Lookup[] = [
  {
    name: 'trace_places',
    key: [
      ['account', 'String'],
      ['workchain', 'Int32'],
      ['lt', 'UInt64'],
    ],
    values: [
      ['start_lt', 'UInt64'],
      ['trace8', 'UInt64'],
    ],
    from: (database) =>
      `SELECT account, workchain, lt, start_lt, trace8 FROM ${database}.transaction_traces WHERE {condition} ${OLD_ANALYZER}`,
  },
  {
    name: 'trace_ids',
    key: [
      ['start_lt', 'UInt64'],
      ['trace8', 'UInt64'],
    ],
    values: [['id', 'String']],
    from: (database) =>
      `SELECT start_lt, trace8, base64Encode(trace_id) AS id FROM ${database}.traces WHERE {condition} LIMIT 1 BY start_lt, trace8 ${OLD_ANALYZER}`,
  },
  {
    name: 'transactions',
    key: [
      ['lt', 'UInt64'],
      ['hash8', 'UInt64'],
    ],
    values: [
      ['previous', 'String'],
      ['before', 'String'],
      ['after', 'String'],
      ['states', 'String'],
    ],
    from: (database) =>
      `SELECT lt, hash8, base64Encode(prev_trans_hash) AS previous, base64Encode(state_hash_before) AS before, base64Encode(state_hash_after) AS after, states FROM ${database}.transaction_payloads WHERE {condition} ${OLD_ANALYZER}`,
  },
  {
    name: 'states',
    key: [
      ['account', 'String'],
      ['workchain', 'Int32'],
      ['lt', 'UInt64'],
    ],
    values: [
      ['is_found', 'UInt8'],
      ['balance', 'UInt128'],
      ['code', 'String'],
    ],
    from: (database) =>
      `SELECT account, workchain, lt, 1 AS is_found, balance, if(code_hash = toFixedString('', 32), '', base64Encode(code_hash)) AS code FROM ${database}.account_states WHERE {condition} ${OLD_ANALYZER}`,
  },
  {
    name: 'token_prices',
    key: [
      ['day', 'Date'],
      ['token', 'String'],
    ],
    values: [['price', 'Float64']],
    from: (_, sources) => tokenPricesQuery(sources),
  },
  {
    name: 'pool_starts',
    key: [['pool', 'String']],
    values: [['start', 'UInt32']],
    from: (database) =>
      `SELECT pool, min(time) AS start FROM ${database}.trades WHERE {condition} GROUP BY pool`,
  },
];

/** Columns of a look-up, without its key. */
export function lookupColumns(name: LookupName): readonly string[] {
  return (LOOKUPS.find((one) => one.name === name)?.values ?? []).map(([column]) => column);
}

/** Statements that create the look-ups of the served projections. `where`: ON CLUSTER, or nothing. */
export function dictionaryStatements(
  sources: LakeSources,
  { user, password, port }: DictionaryAccess,
  where: string,
): readonly string[] {
  return LOOKUPS.flatMap(({ name, key, values, from }) => {
    const database = sources.databases[LOOKUP_READS[name]];
    if (database === undefined) return [];
    const columns = [
      ...key,
      ...values.map(([value, type]) => [value, `${type} DEFAULT ${type === 'String' ? "''" : '0'}`]),
    ];
    return [
      `CREATE OR REPLACE DICTIONARY ${lookupName(sources, name)}${where} (${columns.map((one) => one.join(' ')).join(', ')})` +
        ` PRIMARY KEY ${key.map(([column]) => column).join(', ')}` +
        ` SOURCE(CLICKHOUSE(HOST 'localhost' PORT ${port} USER ${quoted(user)} PASSWORD ${quoted(password)} QUERY ${quoted(from(database, sources))}))` +
        ' LAYOUT(COMPLEX_KEY_DIRECT())',
    ];
  });
}
