import type { NewRecord, StoreDatabase, StoredInput } from '../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../engine/ranges/position-ranges.ts';
import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { fedInput } from '../records/fed-input.ts';
import type { RecordedOutcome } from './outcome-record.ts';
import { buildRecords, type PlacedOutcome } from './outcome-records.ts';

const OUTCOMES = ['token_outcomes', 'contract_outcomes'] as const;

type Value = string | number | boolean;

/** The log `detections` as the projection's tables keep it: a replay runs no get method. A step's items are its outcomes. */
export const DETECTIONS_INPUT: StoredInput = fedInput({
  projection: 'detections',
  records: readRecords,
  items: (database, { first, last }) => {
    const counts = OUTCOMES.map(
      (table) =>
        `SELECT mc_seqno, count() AS outcomes FROM ${database}.${table} WHERE mc_seqno BETWEEN ${first} AND ${last} GROUP BY mc_seqno`,
    );
    return `SELECT mc_seqno, toString(sum(outcomes)) FROM (${counts.join(' UNION ALL ')}) GROUP BY mc_seqno`;
  },
  itemBytes: 400,
  // A step with many outcomes has several records.
  isKey: (key, position) => key.split('/')[0] === String(position),
});

async function readRecords(
  store: StoreDatabase,
  range: PositionRange,
  encoding: Parameters<StoredInput['records']>[2],
): Promise<ReadonlyMap<number, readonly NewRecord[]>> {
  const [tokens, contracts] = await Promise.all([
    readRows(store, range, 'token_outcomes', 'toString(amount), flag, hex(child_code), content'),
    readRows(store, range, 'contract_outcomes', 'details, keys'),
  ]);
  return buildRecords([...tokens.map(toToken), ...contracts.map(toContract)], range, encoding);
}

async function readRows(
  { client, database }: StoreDatabase,
  { first, last }: PositionRange,
  table: (typeof OUTCOMES)[number],
  facts: string,
): Promise<readonly Value[][]> {
  const { rows } = await client.queryRows<Value[]>(
    `SELECT mc_seqno, workchain, hex(account), state_seqno, toString(lt), hex(code_hash), hex(data_hash), toString(kind), reason,
       has_owner, owner_workchain, hex(owner), has_parent, parent_workchain, hex(parent), ${facts}
     FROM ${database}.${table} WHERE mc_seqno BETWEEN ${first} AND ${last}
     ORDER BY mc_seqno, account, workchain, kind, lt, state_seqno`,
    { route: 'replay/detections', ...RANGE_QUERY },
  );
  return rows;
}

const bytes = (value: Value | undefined): Buffer => Buffer.from(String(value), 'hex');

function toAddress(has: Value | undefined, workchain: Value | undefined, account: Value | undefined) {
  return has === true ? { workchain: Number(workchain), account: bytes(account) } : null;
}

type Fields = Omit<RecordedOutcome, 'token' | 'contract'>;

/** The common columns of both tables, and the ones of the table itself. */
function readRow(values: Value[]) {
  const [position, workchain, account, stateSeqno, lt, code, data, kind, reason, ...more] = values;
  const [hasOwner, ownerChain, owner, hasParent, parentChain, parent, ...facts] = more;
  const fields: Fields = {
    workchain: Number(workchain),
    account: bytes(account),
    state_seqno: BigInt(stateSeqno as number),
    lt: BigInt(lt as string),
    code_hash: bytes(code),
    data_hash: bytes(data),
    kind: String(kind),
    reason: String(reason),
  };
  const parties = {
    owner: toAddress(hasOwner, ownerChain, owner),
    parent: toAddress(hasParent, parentChain, parent),
  };
  return { position: Number(position), fields, parties, facts };
}

function toToken(values: Value[]): PlacedOutcome {
  const { position, fields, parties, facts } = readRow(values);
  const [amount, flag, childCode, content] = facts;
  const token = {
    amount: String(amount),
    flag: flag === true,
    ...parties,
    child_code: bytes(childCode),
    content: content === '' ? null : String(content),
  };
  return { position, outcome: { ...fields, token: fields.reason === '' ? token : null, contract: null } };
}

function toContract(values: Value[]): PlacedOutcome {
  const { position, fields, parties, facts } = readRow(values);
  const [details, keys] = facts;
  const list = JSON.parse(String(keys)) as [string, number, string][];
  const contract = {
    ...parties,
    details: String(details),
    keys: list.map(([role, workchain, account]) => ({ role, workchain, account: bytes(account) })),
  };
  return { position, outcome: { ...fields, token: null, contract: fields.reason === '' ? contract : null } };
}
