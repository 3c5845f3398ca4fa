import type { Attack, AttackContext } from '../attack.ts';
import { type Call, jsonCall } from '../http-call.ts';
import { bitsOf } from '../payloads/external-message.ts';
import { HOSTILE_ORDER } from '../payloads/hostile-contract.ts';
import { rawBag } from '../payloads/raw-bag.ts';
import { rpcCall } from './method-calls.ts';

/** Get methods and estimates that run until their gas is used up, by clients that leave before and by some that stay. */
export const loopingMethods: Attack = {
  name: 'looping get methods',
  holds: 'honest get methods are answered meanwhile; those who stay get an exit code or 503',
  bounds: { honestServed: 0.4 },
  run: (context) => loop(context, undefined),
};

/** The same from the honest client's address: behind a proxy, all are one client. */
export const loopingBehindProxy: Attack = {
  name: 'looping get methods from the honest address',
  holds: 'other contracts have their turn',
  bounds: { honestServed: 0.4 },
  run: (context) => loop(context, context.addresses.honest),
};

async function loop({ accounts, sendAll, random }: AttackContext, from: string | undefined): Promise<void> {
  const { hostile: address } = accounts;
  const body = rawBag([{ bits: bitsOf(HOSTILE_ORDER.runAway, 8) + bitsOf(0, 16), refs: [] }]);
  const loops = [
    jsonCall('/api/v3/runGetMethod', { address, method: 'loop', stack: [] }),
    rpcCall('runGetMethod', { address, method: 'loop', stack: [] }),
    jsonCall('/api/v3/estimateFee', { address, body: body.toString('base64'), ignore_chksig: true }),
  ];
  const calls = Array.from({ length: 200 }, (): Call => {
    const call = { ...random.pick(loops), from };
    return random.oneIn(4) ? call : { ...call, leaveAfterMs: 50 + random.below(500) };
  });
  await sendAll(calls, 100);
}
