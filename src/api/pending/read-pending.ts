import { fromBase64 } from '../../ton/hash/base64.ts';
import type { PendingTraces } from '../chain-port.ts';
import { type AccountId, rawAddress } from '../query/account-id.ts';
import type { ReadScope } from '../query/scope.ts';
import type { ServeContext } from '../serve-context.ts';
import { type PendingTrace, type PendingTransaction, pendingTraces } from './pending-trace.ts';

/** The newest traces of a server, and what they were made of: clients ask again and again while they wait. */
const NEWEST = new WeakMap<
  ServeContext,
  { readonly name: string; readonly traces: readonly PendingTrace[] }
>();

/**
 * Traces that the served blocks do not contain completely, in the order of sending; none if the source knows of none.
 */
export async function readPending({ context, visible }: ReadScope): Promise<readonly PendingTrace[]> {
  const source = context.chain?.pending;
  if (!source) return [];
  const found = await source.traces(visible.last);
  const name = getName(found, visible.last);
  const newest = NEWEST.get(context);
  if (newest?.name === name) return newest.traces;
  const traces = pendingTraces(found, visible.last);
  NEWEST.set(context, { name, traces });
  return traces;
}

/** Different for whatever gives different traces. */
function getName({ externals, blocks }: PendingTraces, served: number): string {
  const named = blocks.map(({ rootHash, mcSeqno }) => `${rootHash.toHex()} ${mcSeqno}`);
  return [served, ...externals.map((hash) => hash.toHex()), ...named].join('\n');
}

/** True if one of the hashes (upper-case hex) is the trace's external message, as sent or normalised. */
export function isBegunBy(
  { externalHash, externalHashNorm }: PendingTrace,
  hashes: readonly string[],
): boolean {
  return hashes.includes(toHex(externalHash)) || hashes.includes(toHex(externalHashNorm));
}

/**
 * True if one of the hashes (upper-case hex) names the trace: its first transaction's hash or, since that changes with
 * its block, its external message's.
 */
export function isNamedBy(trace: PendingTrace, hashes: readonly string[]): boolean {
  const root = fromBase64(trace.root.row.hash);
  return (root !== null && hashes.includes(toHex(root))) || isBegunBy(trace, hashes);
}

/** Whether the transaction is of one of the accounts. */
export function isOfAccounts({ row }: PendingTransaction, accounts: readonly AccountId[]): boolean {
  return accounts.some((account) => rawAddress(account) === `${row.workchain}:${row.account}`);
}

function toHex(hash: Uint8Array): string {
  return hash.toHex().toUpperCase();
}
