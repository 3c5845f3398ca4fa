/** Codes of the enum columns, from the table descriptions. */
import { enumCodes } from '../columns/column-type.ts';
import { BASE_TABLES } from '../columns/tables.ts';

const { transactions, messages, account_states } = BASE_TABLES;

export const ACCOUNT_STATUS = enumCodes(transactions.orig_status);
export const TRANSACTION_TYPE = enumCodes(transactions.type);
export const STATUS_CHANGE = enumCodes(transactions.storage_status_change);
export const COMPUTE_TYPE = enumCodes(transactions.compute_type);
export const SKIP_REASON = enumCodes(transactions.compute_skip_reason);
export const BOUNCE_TYPE = enumCodes(transactions.bounce_type);
export const MESSAGE_SIDE = enumCodes(messages.side);
export const MESSAGE_KIND = enumCodes(messages.kind);
export const ADDRESS_KIND = enumCodes(messages.source_kind);
export const STATE_ORIGIN = enumCodes(account_states.origin);
