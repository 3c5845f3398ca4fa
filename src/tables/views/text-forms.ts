/*
 * SQL of the text forms of addresses and hashes that the views for analysts show. An index over such an expression serves a
 * filter on the column of the view, if the view has the same expression.
 */

/** Raw text of an account. */
export function addressText(account: string, workchain: string): string {
  return `concat(toString(${workchain}), ':', hex(${account}))`;
}

/** Raw text of an end of a message; null unless it is an account. */
export function endText(end: 'source' | 'destination'): string {
  return `if(${end}_kind = 'std', ${addressText(end, `${end}_workchain`)}, NULL)`;
}

/** Base64 of a hash. */
export function hashText(hash: string): string {
  return `base64Encode(${hash})`;
}

/** Index type for values that are spread over a table: one of a thousand other granules is read. */
export const SPREAD = 'bloom_filter(0.001)';
