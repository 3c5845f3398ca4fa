import { readsTooMuch } from '../../platform/clickhouse/store-errors.ts';
import { type CodeAndData, wholeCodeAndData } from './account-code.ts';
import { accountOfRaw, rawAddress, rawOf } from './account-id.ts';
import { type AccountStateRow, accountOf } from './account-state-row.ts';
import { type AnswerCaches, cachesOf } from './answer-caches.ts';
import { accountList, accountLiteral, accountParams, accountSet } from './key-lists.ts';
import { ZERO_HASH } from './none-account.ts';
import type { ReadScope } from './read-scope.ts';
import { RowBinary } from './row-binary.ts';
import { MOST_SHARED_KEYS, SharedLookUp } from './shared-look-up.ts';
import { Conditions, type Statement } from './statement.ts';

/** The state whose cells are wanted. */
type StateKey = Pick<AccountStateRow, 'workchain' | 'account' | 'lt'>;
type Cells = ReadonlyMap<string, readonly Uint8Array[]>;

/**
 * Rows that are read together, at most, for each account: some granules of 256. Where there are more, the store refuses
 * the statement before it reads, and they are read by the keys of their two cells.
 */
const ROWS_OF_ACCOUNT = 1_024;
/** The state's own cell, the first one, and others of the same lt. */
const CELLS_OF_ACCOUNT = 4;

const OF_STATES = new SharedLookUp<Cells>(async (scope, keys) => {
  const states = keys.map(stateOf);
  const byKeys = () => readCells(scope, planAccountCells(scope, states));
  const { manyCells } = cachesOf(scope.context, scope.databases.base);
  const [only = ''] = keys.length === 1 ? states.map((state) => rawAddress(accountOf(state))) : [];
  if (manyCells.has(only)) return byKeys();
  try {
    return await readCells(scope, planCellsTogether(scope, states));
  } catch (error) {
    if (!readsTooMuch(error)) throw error;
    if (only !== '') manyCells.set(only, true);
    return byKeys();
  }
});

function keyOf(state: StateKey): string {
  return `${rawAddress(accountOf(state))} ${state.lt}`;
}

function stateOf(key: string): StateKey {
  const [raw = '', lt = ''] = key.split(' ');
  const account = accountOfRaw(raw);
  return { workchain: account.workchain, account: account.hash, lt };
}

/**
 * Code and data of states, in their order; each empty where there is none, or the index does not have all of it. A hash names one
 * cell: what was read of one account is that of all others with the same code, and of the same account until its data changes.
 */
export async function readContents(
  scope: ReadScope,
  states: readonly AccountStateRow[],
): Promise<readonly CodeAndData[]> {
  const { contents } = cachesOf(scope.context, scope.databases.base);
  const recalled = states.map((state) => recall(contents, state));
  const open = states.filter((_, i) => !recalled[i]);
  if (open.length === 0) return recalled as readonly CodeAndData[];
  const cells = await readAccountCells(scope, open);
  const bagsOf = (state: AccountStateRow) => cells.get(rawAddress(accountOf(state))) ?? [];
  const read = await wholeCodeAndData(
    scope,
    open.map((state) => ({ wanted: state, bags: bagsOf(state) })),
  );
  const found = new Map(open.map((state, i) => [state, read[i] as CodeAndData]));
  for (const [{ code_hash, data_hash }, { code, data }] of found) {
    if (code.length > 0) contents.set(code_hash, code);
    if (data.length > 0) contents.set(data_hash, data);
  }
  return states.map((state, i) => recalled[i] ?? (found.get(state) as CodeAndData));
}

const NOTHING = new Uint8Array(0);

/** Null where one of both has to be read. */
function recall(contents: AnswerCaches['contents'], state: AccountStateRow): CodeAndData | null {
  const of = (hash: string) => (hash === ZERO_HASH ? NOTHING : contents.get(hash));
  const [code, data] = [of(state.code_hash), of(state.data_hash)];
  return code && data ? { code, data } : null;
}

/**
 * The Account cells that may hold code and data of states, by raw address: the state's own as its block has it, which
 * leaves out what did not change, and the account's first, which came with its deployment. One query.
 */
async function readAccountCells(scope: ReadScope, states: readonly AccountStateRow[]): Promise<Cells> {
  if (states.length === 0) return new Map();
  if (states.length > MOST_SHARED_KEYS) return readCells(scope, planAccountCells(scope, states));
  return OF_STATES.find(scope, states.map(keyOf));
}

async function readCells(scope: ReadScope, statement: Statement): Promise<Cells> {
  const found = new Map<string, Uint8Array[]>();
  const answer = await scope.queryBytes(statement);
  for (const rows = new RowBinary(answer); rows.more; ) {
    const raw = rawOf(rows.i32(), rows.fixed(32));
    const cells = found.get(raw);
    if (cells) cells.push(rows.string());
    else found.set(raw, [rows.string()]);
  }
  return found;
}

/** Rows (workchain, account, boc): of each state its own cell and the account's first, perhaps with others of the same lt. */
export function planAccountCells(
  { databases, visible }: Pick<ReadScope, 'databases' | 'visible'>,
  states: readonly StateKey[],
): Statement {
  const table = `${databases.base}.account_cells`;
  const accounts = states.map(accountOf);
  const isShort = states.length <= MOST_SHARED_KEYS;
  const of = isShort ? accountList(accounts) : accountSet('accounts');
  const own = isShort
    ? stateList(states)
    : `(SELECT toFixedString(unhex(s.1), 32), s.2, s.3 FROM (SELECT arrayJoin(${ARRAYS}) AS s))`;
  const first =
    `SELECT account, workchain, min(lt) FROM ${table} PREWHERE (account, workchain) IN ${of}` +
    ' AND mc_seqno <= {visible_last:UInt32} GROUP BY account, workchain';
  const key = '(account, workchain, lt)';
  return {
    sql: `SELECT workchain, account, boc FROM ${table} PREWHERE ${key} IN ${own} OR ${key} IN (${first})`,
    params: {
      ...(isShort ? {} : { ...accountParams('accounts', accounts), lts: `[${states.map(ltOf).join(',')}]` }),
      visible_last: visible.last,
    },
  };
}

/**
 * As `planAccountCells`, in one pass over accounts with few rows, whose first ones come behind those of the states: no key has to be
 * found before it is read.
 */
export function planCellsTogether(
  { databases, visible }: Pick<ReadScope, 'databases' | 'visible'>,
  states: readonly StateKey[],
): Statement {
  const accounts = accountList(states.map(accountOf));
  const conditions = new Conditions()
    .add(`(account, workchain) IN ${accounts}`)
    .add('mc_seqno <= {visible_last:UInt32}', { visible_last: visible.last });
  const isOther = `(account, workchain, lt) NOT IN ${stateList(states)}`;
  return {
    ...conditions.statement(
      `SELECT workchain, account, boc FROM ${databases.base}.account_cells PREWHERE ${conditions.text}` +
        ` ORDER BY account, workchain, ${isOther}, lt LIMIT ${CELLS_OF_ACCOUNT} BY account, workchain`,
    ),
    mostRows: states.length * ROWS_OF_ACCOUNT,
  };
}

const ARRAYS = 'arrayZip({accounts:Array(String)}, {accounts_workchains:Array(Int32)}, {lts:Array(UInt64)})';

/** Keys (account, workchain, lt) as literals. */
function stateList(states: readonly StateKey[]): string {
  return `(${states.map((state) => accountLiteral(accountOf(state), ltOf(state))).join(',')})`;
}

function ltOf({ lt }: StateKey): bigint {
  return BigInt(lt);
}
