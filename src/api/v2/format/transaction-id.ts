/** internal.transactionId of contract/v2-endpoints.md section 5. */
export interface TransactionId {
  readonly '@type': 'internal.transactionId';
  readonly lt: string;
  readonly hash: string;
}

/** A hash of nothing: 32 zero bytes, base64. */
export const ZERO_HASH_TEXT = `${'A'.repeat(43)}=`;

/** `lt` decimal, `hash` base64, as the store answers them. */
export function transactionId(lt: string, hash: string): TransactionId {
  return { '@type': 'internal.transactionId', lt, hash };
}

/** Id of no transaction (an unused account, the end of a history): lt 0 and the zero hash. */
export const NO_TRANSACTION_ID: TransactionId = transactionId('0', ZERO_HASH_TEXT);
