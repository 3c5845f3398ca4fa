import type { Attack } from '../attack.ts';
import { jsonCall } from '../http-call.ts';
import { bitsOf, externalWith } from '../payloads/external-message.ts';
import { HOSTILE_ORDER } from '../payloads/hostile-contract.ts';
import { chainOfCells, fanOfCells } from '../payloads/raw-bag.ts';
import { untouchedWallet } from '../watch/honest-calls.ts';
import { messageCalls } from './method-calls.ts';

const DEPTHS = [200, 350, 440, 500, 511, 512, 700, 1_000];

/** Messages that are too deep for who executes them, from outside and from a contract. */
export const deepMessages: Attack = {
  name: 'deep messages',
  holds: 'the chain makes blocks after each of them, and states of that depth can be asked for',
  async run({ contract, accounts, send, random }) {
    const absent = { workchain: 0, address: Uint8Array.from({ length: 32 }, () => random.below(256)) };
    const targets = [contract.address, untouchedWallet('abuse').address, absent];
    for (const depth of DEPTHS)
      for (const target of targets)
        for (const body of [chainOfCells(depth), fanOfCells(depth)])
          for (const call of messageCalls(externalWith(body, target)).slice(0, 2)) await send(call);
    for (const depth of DEPTHS) {
      for (const order of [HOSTILE_ORDER.sendDeep, HOSTILE_ORDER.storeDeep]) {
        const nonce = bitsOf(random.below(2 ** 31), 32);
        const body = [{ bits: bitsOf(order, 8) + bitsOf(depth, 16) + nonce, refs: [] }];
        await send(messageCalls(externalWith(body, contract.address))[0]!);
      }
      await new Promise((resolve) => setTimeout(resolve, 600));
      await send(
        jsonCall('/api/v3/runGetMethod', { address: accounts.hostile, method: 'dataDepth', stack: [] }),
      );
      await send({ path: `/api/v2/getAddressInformation?address=${encodeURIComponent(accounts.hostile)}` });
      await send({ path: `/api/v3/accountStates?address=${encodeURIComponent(accounts.hostile)}` });
    }
    await send({ path: '/api/v3/pendingTransactions' });
    await send({ path: `/api/v3/pendingTransactions?account=${encodeURIComponent(accounts.hostile)}` });
  },
};
