/** `excesses#d53276db query_id:uint64 = InternalMsgBody`: coins that a contract did not need (TEP-62, TEP-74). */
export const EXCESS_OP = 0xd53276db;
