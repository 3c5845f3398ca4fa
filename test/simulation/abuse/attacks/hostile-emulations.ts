import type { Attack } from '../attack.ts';
import { type Call, jsonCall } from '../http-call.ts';
import { bitsOf, externalWith } from '../payloads/external-message.ts';
import { HOSTILE_ORDER } from '../payloads/hostile-contract.ts';
import { chainOfCells, fanOfCells, rawBag } from '../payloads/raw-bag.ts';
import { untouchedWallet } from '../watch/honest-calls.ts';

const TRACE = '/api/emulate/v1/emulateTrace';
const CONNECT = '/api/emulate/v1/emulateTonConnect';
const DEPTHS = [200, 350, 440, 511, 512, 1_000, 1_500];
const EVERYTHING = {
  ignore_chksig: true,
  with_actions: true,
  include_code_data: true,
  include_address_book: true,
  include_metadata: true,
};

/** Messages to be emulated that are deep, lie, or make contracts run away, by clients that stay and that leave. */
export const hostileEmulations: Attack = {
  name: 'hostile emulations',
  holds: 'each is refused or answered in bounded size, and messages are emulated afterwards',
  bounds: { honestServed: 0.4 },
  async run({ accounts, contract, sendAll, send, must, random, addresses }) {
    const emulate = (bag: Buffer, more = {}) =>
      jsonCall(TRACE, { ...EVERYTHING, boc: bag.toString('base64'), ...more });
    const connect = (payload: Buffer) => {
      const boc = payload.toString('base64');
      const message = { address: accounts.wallet, amount: '1', payload: boc, stateInit: boc };
      const messages = Array.from({ length: 4 }, () => message);
      return jsonCall(CONNECT, { ...EVERYTHING, from: accounts.wallet, messages });
    };
    const targets = [contract.address, untouchedWallet('abuse').address];
    for (const depth of DEPTHS)
      for (const cells of [chainOfCells(depth), fanOfCells(depth)])
        await sendAll(
          [...targets.map((target) => emulate(externalWith(cells, target))), connect(rawBag(cells))],
          2,
        );
    const order = (name: keyof typeof HOSTILE_ORDER, depth: number) => {
      const bits = bitsOf(HOSTILE_ORDER[name], 8) + bitsOf(depth, 16) + bitsOf(random.below(2 ** 31), 32);
      return emulate(externalWith([{ bits, refs: [] }], contract.address));
    };
    for (const depth of DEPTHS.filter((one) => one <= 1_000))
      await sendAll([order('sendDeep', depth), order('storeDeep', depth)], 2);
    const loops = Array.from({ length: 100 }, (): Call => {
      const call = { ...order('runAway', 0), from: random.pick(addresses.many) };
      return random.oneIn(4) ? call : { ...call, leaveAfterMs: 50 + random.below(500) };
    });
    await sendAll(loops, 50);
    const odd = [
      jsonCall(TRACE, { boc: 'te6' }),
      jsonCall(TRACE, { boc: null }),
      jsonCall(TRACE, {
        ...EVERYTHING,
        boc: rawBag(chainOfCells(2)).toString('base64'),
        mc_block_seqno: 2 ** 31,
      }),
      emulate(rawBag(chainOfCells(3), { cells: 0xffff_ffff, refBytes: 4 })),
      jsonCall(CONNECT, { from: accounts.wallet, messages: Array.from({ length: 1_000 }, () => ({})) }),
      jsonCall(CONNECT, {
        from: accounts.hostile,
        messages: [{ address: accounts.wallet, amount: '9'.repeat(1_000) }],
      }),
      { path: TRACE, body: Buffer.alloc(1024 ** 2, '['), headers: { 'content-type': 'application/json' } },
    ];
    await sendAll(odd, 2);
    const honest = jsonCall(CONNECT, {
      from: accounts.wallet,
      messages: [{ address: accounts.wallet, amount: '1' }],
    });
    for (let attempt = 0; ; attempt++) {
      const { status, text } = await send(honest);
      if (status === 503 && attempt < 240) await new Promise((next) => setTimeout(next, 500));
      else
        return must(
          status === 200 && text.includes('"trace"'),
          `afterwards: ${status} ${text.slice(0, 200)}`,
        );
    }
  },
};
