/**
 * Hash (base64) of the cell of an account that does not exist (`account_none$0`: one zero bit). The only state whose
 * content follows from its hash, so that no row is needed for it.
 */
export const NONE_ACCOUNT_HASH = 'kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ=';

/** 32 zero bytes in base64: in a hash column it means "none". */
export const ZERO_HASH = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';

/** null for the hash that means "none". */
export function hashOrNull(hash: string): string | null {
  return hash === ZERO_HASH ? null : hash;
}
