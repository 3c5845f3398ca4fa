import type { NameZones } from './filter.ts';

/* Collections of v3-rules.md 6. */

/** `.ton` of mainnet and testnet. */
const TON = [
  '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF',
  '0:E33ED33A42EB2032059F97D90C706F8400BB256D32139CA707F1564AD699C7DD',
];
/** Usernames of Telegram (`.t.me`). */
const TELEGRAM = ['0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2'];
const ALL = [...TON, ...TELEGRAM];

/** Collections whose items are names on a network: the address of a local chain's follows from its seed. */
export function nameZones(network: string): NameZones {
  return network === 'localnet' ? 'any' : ALL;
}

/** Collections whose items are names of a zone, by `get_domain` or `get_full_domain`. */
export interface ZonesByMethod {
  readonly ton: NameZones;
  readonly telegram: NameZones;
}

/** The same by zone. */
export function zonesByMethod(network: string): ZonesByMethod {
  return network === 'localnet' ? { ton: 'any', telegram: 'any' } : { ton: TON, telegram: TELEGRAM };
}

/** Whether a collection (raw) is one of them. */
export function isZone(zones: NameZones, collection: string | null): boolean {
  return collection !== null && (zones === 'any' || zones.includes(collection));
}
