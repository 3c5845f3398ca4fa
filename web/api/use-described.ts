import type { Described } from './types.ts';
import { useAnswer } from './use-answer.ts';

/** Addresses whose names are read: a request has them in its address. */
const MAX_ADDRESSES = 100;

/** Names and tokens of the first addresses (raw); empty until they are loaded, and if they cannot be. */
export function useDescribed(addresses: readonly string[]): Described {
  const distinct = [...new Set(addresses)].slice(0, MAX_ADDRESSES);
  const parameters = { address: distinct.join(',') };
  const names = useAnswer(distinct.length === 0 ? null : '/api/v3/addressBook', parameters);
  const tokens = useAnswer(distinct.length === 0 ? null : '/api/v3/metadata', parameters);
  return { address_book: names.answer ?? {}, metadata: tokens.answer ?? {} };
}
