import type { ACTION_ACCOUNT_TYPES, ACTION_TYPES } from '../../../tables/actions/actions.ts';
import type { TableBuilder } from '../../../ton/columns/table-builder.ts';
import type { Action, Fields } from '../model/action.ts';
import { recordedColumns } from '../out/recorded-columns.ts';
import type { FinishedTrace } from './classify-steps.ts';

/** Landing tables of an action. */
export interface ActionTables {
  readonly actions: TableBuilder<typeof ACTION_TYPES>;
  readonly accounts: TableBuilder<typeof ACTION_ACCOUNT_TYPES>;
}

/** The trace that an action is of, and the step that completed it. */
export interface ActionPlace {
  readonly position: number;
  readonly trace: FinishedTrace;
}

const NO_HASH = Buffer.alloc(32);
const ACCOUNT_BYTES = 36;

const toBytes = (value: string): Buffer => Buffer.from(value, 'utf8');
const parseHash = (base64: string): Buffer => Buffer.from(base64, 'base64');

/** Appends an action, and a row for each of its accounts. */
export function pushAction(tables: ActionTables, { position, trace }: ActionPlace, action: Action): void {
  const trace8 = Buffer.from(trace.trace_id).readBigUInt64BE(0);
  const accounts = action.accounts.flatMap(accountBytes);
  const { col } = tables.actions;
  col.mc_seqno.push(position);
  col.trace_end_lt.push(trace.end_lt);
  col.trace8.push(trace8);
  col.end_lt.push(action.endLt);
  col.action_id.push(parseHash(action.actionId));
  col.trace_id.push(trace.trace_id);
  col.trace_end_utime.push(Number(trace.end_utime));
  col.external_hash.push(trace.external_hash ?? NO_HASH);
  col.start_lt.push(action.startLt);
  col.start_utime.push(action.startUtime);
  col.end_utime.push(action.endUtime);
  col.type.push(toBytes(action.type));
  col.answered_type.push(toBytes(action.answeredType));
  col.ancestor_types.push(toBytes(action.ancestorTypes.join(',')));
  col.success.push(action.success);
  col.accounts.push(Buffer.concat(accounts));
  col.tx_hashes.push(Buffer.concat(action.txHashes.map(parseHash)));
  const { details, raw } = toPayload(action);
  col.details.push(toBytes(details));
  col.raw_action.push(toBytes(raw));
  tables.actions.endRow();
  for (const account of accounts) pushAccount(tables, { position, trace }, action, account);
}

function pushAccount(
  tables: ActionTables,
  { position, trace }: ActionPlace,
  action: Action,
  account: Buffer,
): void {
  const { col } = tables.accounts;
  col.mc_seqno.push(position);
  col.workchain.push(account.readInt32BE(0));
  col.account.push(account.subarray(4));
  col.trace_end_lt.push(trace.end_lt);
  col.trace8.push(Buffer.from(trace.trace_id).readBigUInt64BE(0));
  col.end_lt.push(action.endLt);
  col.action_id.push(parseHash(action.actionId));
  col.trace_id.push(trace.trace_id);
  col.trace_end_utime.push(Number(trace.end_utime));
  col.end_utime.push(action.endUtime);
  col.type.push(toBytes(action.type));
  col.ancestor_types.push(toBytes(action.ancestorTypes.join(',')));
  tables.accounts.endRow();
}

/** Workchain and id of a raw address; none for a text that is no standard address, which no filter can name. */
function accountBytes(raw: string): Buffer[] {
  const [, workchain, hash = ''] = /^(-?\d{1,10}):([0-9A-Fa-f]{64})$/.exec(raw) ?? [];
  if (workchain === undefined) return [];
  const bytes = Buffer.alloc(ACCOUNT_BYTES);
  bytes.writeInt32BE(Number(workchain), 0);
  bytes.write(hash, 4, 'hex');
  return [bytes];
}

/** Texts of the columns `details` and `raw_action`; one of them is empty. */
export function toPayload(action: Action): { readonly details: string; readonly raw: string } {
  const { details } = action;
  return details
    ? { details: toJson(details), raw: '' }
    : { details: '', raw: toJson(recordedColumns(action)) };
}

/** As the API answers it: amounts are decimal text, fields that are undefined are left out. */
function toJson(fields: Fields): string {
  return JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}
