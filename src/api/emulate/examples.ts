import { type Example, FAUCET, WALLET, WALLET_MESSAGE } from '../example-values.ts';

/** An example body of each route of the emulation API. */
export const EMULATION_EXAMPLES: Readonly<Record<string, Example>> = {
  '/v1/emulateTrace': { boc: WALLET_MESSAGE, ignore_chksig: true, with_actions: true },
  '/v1/emulateTonConnect': {
    from: FAUCET,
    messages: [{ address: WALLET, amount: '100000000' }],
    with_actions: true,
  },
};
