import { STATE_TARGET } from '../../../tables/account-targets.ts';
import { BASE_TABLES } from '../../../tables/base-tables.ts';
import { getLookUp, keyBuilder, valueColumns } from '../../../tables/look-ups/look-ups.ts';
import { detailsReader } from '../../compat/details-reader.ts';
import type { LookUps } from '../../look-up-port.ts';
import type { AccountId } from '../../query/account-id.ts';
import { getLookUps, keysWith, knowsAllUpTo } from '../../query/look-ups.ts';
import type { ReadScope } from '../../query/scope.ts';
import { byTables } from '../../served-tables.ts';
import { ACCOUNT_STATE_LIST, type AccountStateRow, accountStateRow } from './model.ts';

const BY_ACCOUNT = getLookUp(STATE_TARGET, 'state_by_account');
const { lookUp: STATES } = BY_ACCOUNT;
const toKey = keyBuilder(BY_ACCOUNT);
/** Rows that are compared to find a state by its lt: an account may have several states a step. */
const MAX_EARLIER = 16;

/**
 * The newest state of an account at a masterchain block, from the look-up index. Null: it has none. Undefined: a
 * statement has to find it.
 */
export function findIndexedState(
  scope: ReadScope,
  account: AccountId,
  mcSeqno: number,
): AccountStateRow | null | undefined {
  const lookUps = getLookUps(scope);
  if (!lookUps) return undefined;
  const [row] = rowsUpTo(lookUps, account, { mcSeqno, limit: 1 });
  if (row) {
    if (!lookUps.covers({ first: row.step, last: mcSeqno })) return undefined;
    return readState(scope, row.value);
  }
  return knowsAllUpTo(lookUps, { first: scope.visible.first, last: mcSeqno }) ? null : undefined;
}

/** The state of an account after its transaction with this lt, from the look-up index; undefined if it is not there. */
export function findStateAfter(
  scope: ReadScope,
  account: AccountId,
  { lt, mcSeqno }: { readonly lt: bigint; readonly mcSeqno: number },
): AccountStateRow | undefined {
  const lookUps = getLookUps(scope);
  if (!lookUps) return undefined;
  for (const { value } of rowsUpTo(lookUps, account, { mcSeqno, limit: MAX_EARLIER })) {
    const state = readState(scope, value);
    if (BigInt(state.lt) === lt) return state;
  }
  return undefined;
}

/** Rows of an account, the newest first. */
function rowsUpTo(
  lookUps: LookUps,
  { hash, workchain }: AccountId,
  { mcSeqno, limit }: { readonly mcSeqno: number; readonly limit: number },
) {
  const id = Buffer.from(hash, 'hex');
  const bounds = keysWith(toKey(id, workchain), toKey(id, workchain, mcSeqno));
  return lookUps.range(STATES.name, bounds, limit);
}

/** How a version's rows are read: its columns, in the order of the value. */
const getReader = byTables((tables) => {
  const types: Readonly<Record<string, string>> = tables?.[STATE_TARGET.name] ?? BASE_TABLES.account_states;
  const columns = valueColumns(STATES, tables?.[STATE_TARGET.name]);
  return { columns, read: detailsReader(columns.map((name) => types[name] as string)) };
});

function readState({ tables }: ReadScope, value: Uint8Array): AccountStateRow {
  const { columns, read } = getReader(tables);
  const values = read(Buffer.from(value.buffer, value.byteOffset, value.length));
  const byName = new Map(columns.map((name, i) => [name, values[i]]));
  const row = accountStateRow(ACCOUNT_STATE_LIST.columns.map((name) => byName.get(name) ?? null));
  return { ...row, account: Buffer.from(row.account, 'base64').toString('hex').toUpperCase() };
}
