/** Code of username-collection.tolk, compiled by @ton/tolk-js 1.3.0: a BoC in base64. */
export const USERNAME_COLLECTION_CODE =
  'te6ccgEBDAEA0wABFP8A9KQT9LzyyAsBAgFiAgMAGND4kfJAhA8BxwDy9AIBIAQFAgEgBgcAM7yC2/9qJoaQAY6Y+Y6f+Y6moY6hjqGO' +
  'jFgUAgFiCAkCASAKCwA9rmX2omhpABjpj5jp/5jqGOoY6moY6Ohpg4DVAWuMwAAHra6YwAA9tdr9qJoaQAY6Y+Y6f+Y6hjqGOoY6mjoa' +
  'Yfph/0kaMABxtPR/BQA5GX//SlktvaiaGkAGOmPmOn/mOoY6moY6hjogWRmegBkgORnwmhmZnyLZGfFACBl/+eoQ';
