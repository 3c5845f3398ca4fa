import type { NameZones } from './plan-contracts.ts';

/** Collections of v3-rules.md 6: `.ton` of mainnet and testnet, usernames of Telegram (`.t.me`). */
const ZONES: NameZones = [
  '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF',
  '0:E33ED33A42EB2032059F97D90C706F8400BB256D32139CA707F1564AD699C7DD',
  '0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2',
];

/** Collections whose items are names on a network: the address of a local chain's follows from its seed. */
export function nameZones(network: string): NameZones {
  return network === 'localnet' ? 'any' : ZONES;
}
