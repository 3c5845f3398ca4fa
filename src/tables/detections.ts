import { HASH } from './base-types.ts';
import { TOKEN_KIND } from './contract-types.ts';
import { coded, column, columnTypes, defineTable, party, rising, type Table } from './table.ts';
import { buildCopy, ONE_PART, pickAll, type Target, type TargetColumn } from './target.ts';

/*
 * Outcomes of get methods, a row for each examined state and kind, and the input of a replay: the records of the log are
 * rebuilt from these rows. Detected tokens are also in the tables of `token-states.ts`, as those of `contracts` are.
 */

const version = 4;
const key = ['workchain', 'account', 'kind', 'lt', 'mc_seqno'] as const;
const state = {
  mc_seqno: rising('UInt32', 'Masterchain step of the record.'),
  state_seqno: rising('UInt32', 'Masterchain step of the state: this one, or an earlier one.'),
  workchain: column('Int32', 'Workchain of the account.'),
  account: column(HASH, 'Id of the account in its workchain.'),
} as const;
const code = {
  lt: rising('UInt64', 'Logical time of the last transaction before the state.'),
  code_hash: column(HASH, 'Hash of the code.'),
  data_hash: column(HASH, 'Hash of the data.'),
  reason: column(
    'String',
    'Why the account is not of the kind; empty if it is. `not known: …` if the index lacks a cell.',
  ),
} as const;

export const TOKEN_OUTCOMES = defineTable({
  name: 'token_outcomes',
  version,
  comment: 'Outcomes for kinds of tokens.',
  key,
  columns: {
    ...state,
    kind: column(TOKEN_KIND, 'What the account was examined for.'),
    ...code,
    amount: column('UInt256', 'Supply, balance, next index or index, by kind. Smallest units.'),
    flag: column('Bool', 'A master is mintable, an item is initialised.'),
    ...party('owner', 'admin or owner'),
    ...party('parent', 'master or collection'),
    child_code: column(HASH, 'Hash of the code of wallets or items.'),
    content: coded('String', 'ZSTD(3)', 'Content as JSON; empty for none.'),
  },
});

export const CONTRACT_OUTCOMES = defineTable({
  name: 'contract_outcomes',
  version,
  comment: 'Outcomes for other kinds.',
  key,
  columns: {
    ...state,
    kind: column('String', 'What the account was examined for.'),
    ...code,
    ...party('owner', 'owner'),
    ...party('parent', 'NFT that is sold, collection, or multisig'),
    details: coded('String', 'ZSTD(3)', 'JSON object by the names of answers.'),
    keys: column('String', 'JSON list of [role, workchain, hex]: accounts by which the contract is found.'),
  },
});

/** Landing tables, by name. */
export const DETECTION_TABLES = {
  token_outcomes: columnTypes(TOKEN_OUTCOMES),
  contract_outcomes: columnTypes(CONTRACT_OUTCOMES),
} as const;

const FEW_TEXTS = 'LowCardinality(String)';
const shard = 'cityHash64(account)';
const settings = { index_granularity: 1024 };

/** Stored columns: a Bool has no codec, and kinds are few. */
export function stored(table: Table, names?: readonly string[]): TargetColumn[] {
  return pickAll(table, names && [...names]).map((one) => {
    if (one.type === 'Bool') return { ...one, codec: null };
    return one.name === 'kind' && one.type === 'String' ? { ...one, type: FEW_TEXTS } : one;
  });
}

function outcomes(table: Table): Target {
  const [step, ...columns] = stored(table);
  return buildCopy(table, {
    columns: [step!, ONE_PART, ...columns],
    skips: { by_step: ['mc_seqno', 1] },
    orderBy: ['account', 'workchain', 'kind', 'lt'],
    shard,
  });
}

export const TOKEN_OUTCOME_TARGET = outcomes(TOKEN_OUTCOMES);
export const CONTRACT_OUTCOME_TARGET: Target = {
  ...outcomes(CONTRACT_OUTCOMES),
  lookUps: [
    {
      // Accounts that were found to be of some kind once.
      name: 'detected_contract',
      key: ['account', 'workchain', 'mc_seqno', 'lt'],
      value: [],
      where: "reason = ''",
    },
  ],
};

const and = (range: string | null) => (range === null ? '' : ` AND ${range}`);

/** The newest outcome of each account and kind; unknown ones are left out. */
export function newest(table: Table, layout: Pick<Target, 'name' | 'skips'>): Target {
  const [step, ...columns] = stored(table).filter(({ name }) => name !== 'mc_seqno' && name !== 'keys');
  const names = columns.map(({ name }) => name).join(', ');
  return {
    comment: table.comment,
    source: `land_${table.name}`,
    columns: [{ ...step!, name: 'mc_seqno' }, ...columns],
    select: (from, range) => `SELECT state_seqno AS mc_seqno, ${names}
FROM ${from}
WHERE NOT startsWith(reason, 'not known: ')${and(range)}`,
    engine: 'ReplacingMergeTree(lt)',
    orderBy: ['account', 'workchain', 'kind'],
    settings,
    shard,
    ...layout,
  };
}

export const DETECTED_CONTRACTS = newest(CONTRACT_OUTCOMES, {
  name: 'detected_contracts',
  skips: { owners: ['owner', 1, 'bloom_filter'] },
});

export const FOUND_KEY: readonly TargetColumn[] = [
  { name: 'key_workchain', type: 'Int32', comment: 'Workchain of the key.', codec: 'ZSTD(1)' },
  { name: 'key', type: HASH, comment: 'Account by which the contract is found.', codec: 'LZ4' },
];
/** Accounts by which other detected contracts are found, and SHA-256 of names. */
export const DETECTED_CONTRACT_KEYS: Target = {
  name: 'detected_contract_keys',
  comment: 'Accounts by which other detected contracts are or were found.',
  source: 'land_contract_outcomes',
  columns: [
    { name: 'role', type: FEW_TEXTS, comment: 'What the key is to the contract.', codec: null },
    ...FOUND_KEY,
    ...stored(CONTRACT_OUTCOMES, ['workchain', 'account']),
  ],
  select: (
    from,
    range,
  ) => `SELECT found.1 AS role, found.2 AS key_workchain, toFixedString(unhex(found.3), 32) AS key, workchain, account
FROM
(
    SELECT workchain, account, arrayJoin(JSONExtract(keys, 'Array(Tuple(String, Int32, String))')) AS found
    FROM ${from}
    WHERE reason = ''${and(range)}
)`,
  engine: 'ReplacingMergeTree',
  orderBy: ['key', 'key_workchain', 'role', 'account', 'workchain'],
  settings,
  shard: 'cityHash64(key)',
};
