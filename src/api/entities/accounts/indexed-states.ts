import { STATE_TARGET } from '../../../tables/account-targets.ts';
import { BASE_TABLES } from '../../../tables/base-tables.ts';
import { getLookUp, keyBuilder, valueColumns } from '../../../tables/look-ups/look-ups.ts';
import { detailsReader } from '../../compat/details-reader.ts';
import type { LookUps } from '../../look-up-port.ts';
import type { AccountId } from '../../query/account-id.ts';
import { getLookUps, keysWith, knowsAllUpTo, toBuffer } from '../../query/look-ups.ts';
import type { ReadScope } from '../../query/scope.ts';
import { byTables } from '../../served-tables.ts';
import { ACCOUNT_STATE_LIST, type AccountStateRow, accountStateRow } from './model.ts';

const BY_ACCOUNT = getLookUp(STATE_TARGET, 'state_by_account');
const { lookUp: STATES } = BY_ACCOUNT;
const toKey = keyBuilder(BY_ACCOUNT);
/** The newest rows of an account that are compared to find a state by its hash: nearly always it is one of the first. */
const RECENT = [3, 16] as const;

/**
 * The newest state of an account at a masterchain block, from the look-up index. Null: it has none. Undefined: a
 * statement has to find it.
 */
export function findIndexedState(
  scope: ReadScope,
  account: AccountId,
  mcSeqno: number,
): AccountStateRow | null | undefined {
  const lookUps = getLookUps(scope, scope.databases.base, STATES.name);
  if (!lookUps) return undefined;
  const [row] = rowsUpTo(lookUps, account, { mcSeqno, limit: 1 });
  if (row) {
    if (!lookUps.covers({ first: row.step, last: mcSeqno })) return undefined;
    return readState(scope, row.value);
  }
  return knowsAllUpTo(lookUps, { first: scope.visible.first, last: mcSeqno }) ? null : undefined;
}

/** A state by the base64 of its hash and the lt of its last transaction, as of a masterchain block. */
interface NamedState {
  readonly hash: string;
  readonly lt: bigint;
  readonly mcSeqno: number;
}

/**
 * A recent state of an account from the look-up index. Null: the store does not have it. Undefined: a statement has to
 * find it.
 */
export function findStateByHash(
  scope: ReadScope,
  account: AccountId,
  { hash, lt, mcSeqno }: NamedState,
): AccountStateRow | null | undefined {
  const lookUps = getLookUps(scope, scope.databases.base, STATES.name);
  if (!lookUps) return undefined;
  for (const limit of RECENT) {
    const rows = rowsUpTo(lookUps, account, { mcSeqno, limit });
    for (const { step, value } of rows) {
      const state = readState(scope, value);
      if (state.hash === hash) return state;
      // All later states of the account are in the index.
      if (BigInt(state.lt) < lt) return lookUps.covers({ first: step, last: mcSeqno }) ? null : undefined;
    }
    // An index from the zerostate on has no rows of origin `before`.
    if (rows.length < limit) return lookUps.covers({ first: 0, last: mcSeqno }) ? null : undefined;
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
  const values = read(toBuffer(value));
  const byName = new Map(columns.map((name, i) => [name, values[i]]));
  const row = accountStateRow(ACCOUNT_STATE_LIST.columns.map((name) => byName.get(name) ?? null));
  return { ...row, account: Buffer.from(row.account, 'base64').toString('hex').toUpperCase() };
}
