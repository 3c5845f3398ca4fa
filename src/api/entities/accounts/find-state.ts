import type { ParsedAddress } from '../../../ton/address/address.ts';
import { NotHeldError } from '../../http/errors/http-error.ts';
import { rawAddress } from '../../query/account-id.ts';
import { accountId } from '../../query/account-key.ts';
import { isAccount } from '../../query/keys.ts';
import type { ReadScope } from '../../query/scope.ts';
import { identifier, join, sql, u32 } from '../../query/sql.ts';
import type { ServedNetwork } from '../../serve-context.ts';
import { readAccountStates } from './find.ts';
import { findIndexedState } from './indexed-states.ts';
import { ACCOUNT_STATE_SELECT, type AccountStateRow, accountStateRow, noneState } from './model.ts';

/**
 * The state of an account after a masterchain block of the visible range. An account never seen does not exist, if the index has
 * the states from before its first block.
 *
 * @throws NotHeldError the account was never seen, and may have a state from before the index
 */
export async function readAccountState(
  scope: ReadScope,
  address: ParsedAddress,
  mcSeqno: number,
): Promise<AccountStateRow> {
  const account = accountId(address);
  const found =
    mcSeqno === scope.visible.last
      ? (await readAccountStates(scope, [account])).get(rawAddress(account))
      : await readPastState(scope, address, mcSeqno);
  if (!found && !isAbsenceKnown(scope.context.network, address))
    throw new NotHeldError(`account ${rawAddress(account)} is not in this index`);
  return found ?? noneState(account, '0');
}

/** True if an account that the index has never seen does not exist. */
function isAbsenceKnown({ isolated, starts }: ServedNetwork, { workchain, hash }: ParsedAddress): boolean {
  if (isolated) return false;
  if (!starts) return true;
  const prefix = Buffer.from(hash).readBigUInt64BE(0) | 1n;
  return starts.below(workchain, prefix) === 0n;
}

/**
 * The newest row at or before that masterchain block. If the index begins in mid-chain and the account changed only
 * later, its old state is in a row of origin `before`, written with the block that changed it.
 */
async function readPastState(
  scope: ReadScope,
  address: ParsedAddress,
  mcSeqno: number,
): Promise<AccountStateRow | undefined> {
  const indexed = findIndexedState(scope, accountId(address), mcSeqno);
  // Older ones may be replaced by a row of origin `before`, which only a statement finds.
  if (indexed && indexed.mc_seqno >= scope.visible.first) return indexed;
  const { base } = scope.databases;
  const states = sql`SELECT ${ACCOUNT_STATE_SELECT} FROM ${identifier(base, 'account_states')} WHERE ${isAccount(accountId(address))}`;
  const upTo = sql`mc_seqno <= ${u32(mcSeqno)}`;
  const later = sql`mc_seqno > ${u32(mcSeqno)} AND mc_seqno <= ${u32(scope.visible.last)}`;
  const known = sql`SELECT * FROM (${states} AND ${upTo} ORDER BY lt DESC LIMIT 1)`;
  const before = sql`SELECT * FROM (${states} AND origin = 'before' AND ${later} ORDER BY lt LIMIT 1)`;
  const rows = await scope.query(join([known, before], ' UNION ALL '));
  return chooseState(rows.map(accountStateRow), mcSeqno, scope.visible.first);
}

/**
 * Chooses the newest state by then or the oldest `before` state of later blocks. The second wins only if it is newer
 * and the first is from before the visible range, with missing blocks between.
 */
export function chooseState<Row extends Pick<AccountStateRow, 'mc_seqno' | 'lt'>>(
  states: readonly Row[],
  at: number,
  first: number,
): Row | undefined {
  const known = states.find((state) => state.mc_seqno <= at);
  const before = states.find((state) => state.mc_seqno > at);
  if (!known || !before) return known ?? before;
  return known.mc_seqno < first && BigInt(before.lt) > BigInt(known.lt) ? before : known;
}
