/** Code of special-account.tolk, compiled by @ton/tolk-js 1.3.0: a BoC in base64. A test compiles it again. */
export const SPECIAL_ACCOUNT_CODE =
  'te6ccgEBBgEASwABFP8A9KQT9LzyyAsBAgEgAgMCAUgEBQA5pf//dqJoaZ/pn+iBSQDSSVIA8QDkZZ/ln+T2qkAADNAw+JHyQAAV' +
  'oOgP2omhpn+mf6M=';
