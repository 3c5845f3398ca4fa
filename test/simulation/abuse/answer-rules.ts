import type { Outcome } from './http-call.ts';

/** Texts of failures that the contract answers with 500 (v2-endpoints.md, v3-endpoints.md) or by ours: refusals, not breaks. */
const DOCUMENTED_500 =
  /LITE_SERVER_|TVM: |took longer than its time limit|unsupported stack parameter type|Result stack size|Exit code|EmulationExternalNotAccepted: |Can't de(code|serialize) |Account is not a known wallet|Account state no code or no data/;
/** v2: time limit, nesting of a result, no workers; HTTP: version. */
const DOCUMENTED_5XX = new Set([504, 505, 533, 542]);
const WITHOUT_ANSWER = new Set(['late', 'ECONNREFUSED']);

/** The fault of an answer to an attacker; null if there is none. Any 4xx is right: the request was hostile. */
export function wrongAnswer({ status, headers, text, failure }: Outcome): string | null {
  if (failure !== null) return WITHOUT_ANSWER.has(failure) ? `no answer (${failure})` : null;
  if (leaksStore(text)) return `status ${status} with the store's own words: ${short(text)}`;
  if (status < 500 || DOCUMENTED_5XX.has(status)) return null;
  if (status === 503) return headers['retry-after'] ? null : '503 without Retry-After';
  if (status === 500 && DOCUMENTED_500.test(text)) return null;
  return `status ${status}: ${short(text)}`;
}

function leaksStore(text: string): boolean {
  return /DB::Exception|_base_v\d+\.\w/.test(text);
}

/** The text without what differs each time. */
export function short(whole: string): string {
  const text = whole.replace(/,"@extra":"[^"]*"/, '');
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
