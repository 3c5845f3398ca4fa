import type {
  HistorySize,
  NewRecord,
  StoreDatabase,
  StoredInput,
  StoredStep,
} from '../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../engine/ranges/position-ranges.ts';
import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import type { RecordedOutcome } from './outcome-record.ts';
import { buildRecords, type PlacedOutcome } from './outcome-records.ts';

/** Bytes of a step's record and of each outcome in it, about: windows of a replay are cut by them. */
const STEP_BYTES = 32;
const OUTCOME_BYTES = 400;
const OUTCOMES = ['token_outcomes', 'contract_outcomes'] as const;

type Value = string | number | boolean;

/**
 * The log `detections` as the projection's tables keep it: records are rebuilt from the rows of all outcomes. So a replay
 * needs no log and runs no get method. The rows are measured and repaired, so nothing else needs a restore.
 */
export const DETECTIONS_INPUT: StoredInput = {
  projection: 'detections',
  isFed: true,
  landings: [],
  steps: readSteps,
  readStoredSteps: readSteps,
  size: async (store, ranges) =>
    getSize((await Promise.all(ranges.map((one) => readSteps(store, one)))).flat()),
  records: readRecords,
  has: async (store, _key, position) =>
    (await highest(store, { first: position, last: position })) === position,
  hashes: async () => new Map(),
  highest,
  rootHash: async () => null,
  startStates: async () => [],
  lost: async () => [],
  refill: async () => 0,
  missing: async () => ({ blocks: 0, first: null }),
  restore: async () => 0,
};

/** Each step of a range has a record, one without outcomes too. */
async function readSteps(
  { client, database }: StoreDatabase,
  { first, last }: PositionRange,
): Promise<readonly StoredStep[]> {
  const counts = OUTCOMES.map(
    (table) =>
      `SELECT mc_seqno, count() AS outcomes FROM ${database}.${table} WHERE mc_seqno BETWEEN ${first} AND ${last} GROUP BY mc_seqno`,
  );
  const { rows } = await client.queryRows<[number, string]>(
    `SELECT mc_seqno, toString(sum(outcomes)) FROM (${counts.join(' UNION ALL ')}) GROUP BY mc_seqno`,
    { route: 'replay/detection-steps', ...RANGE_QUERY },
  );
  const found = new Map(rows.map(([position, count]) => [position, Number(count)]));
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const transactions = found.get(first + i) ?? 0;
    return { position: first + i, bytes: STEP_BYTES + transactions * OUTCOME_BYTES, transactions };
  });
}

function getSize(steps: readonly StoredStep[]): HistorySize {
  const sum = (of: (step: StoredStep) => number) => steps.reduce((total, step) => total + of(step), 0);
  return {
    blocks: steps.length,
    transactions: sum(({ transactions }) => transactions),
    bytes: sum(({ bytes }) => bytes),
  };
}

/** The highest confirmed step of a range; -1 if there is none. */
async function highest({ client, database }: StoreDatabase, { first, last }: PositionRange): Promise<number> {
  const { rows } = await client.queryRows<[number]>(
    `SELECT toInt64(max(least(last, ${last}))) FROM ${database}.confirmed
     WHERE first <= ${last} AND last >= ${first} HAVING count() > 0`,
    { route: 'replay/detection-steps' },
  );
  return rows[0] ? Number(rows[0][0]) : -1;
}

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
