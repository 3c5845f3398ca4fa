import type { Attack } from '../attack.ts';
import type { Call } from '../http-call.ts';

const LISTS = [
  'transactions',
  'messages',
  'blocks',
  'traces',
  'actions',
  'jetton/transfers',
  'jetton/wallets',
  'jetton/masters',
  'jetton/burns',
  'nft/items',
  'nft/transfers',
  'nft/collections',
  'topAccountsByBalance',
  'multisig/wallets',
  'multisig/orders',
  'validators/events',
];

/** Cursors that no server has made, cursors of other lists, and positions that do not exist. */
export const oddCursors: Attack = {
  name: 'odd cursors',
  holds: 'each is refused with 422 in a short answer',
  async run({ sendAll, must, random }) {
    const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const noise = Array.from({ length: 10 }, () =>
      Buffer.from(Array.from({ length: 60 }, () => random.below(256))).toString('base64url'),
    );
    const cursors = [
      ...noise,
      'A'.repeat(400),
      'A'.repeat(50_000),
      "' OR 1=1 --",
      '{db:Identifier}',
      text(null),
      text([]),
      text(['t', 0, 0xffff_ffff, null, null]),
      text(['t', -1, 1e308, ['x']]),
      text(['__proto__', 0, null, null]),
      text(['t', 0, null, { constructor: { prototype: {} } }]),
      text(Array.from({ length: 100 }, () => 'x')),
    ];
    const calls = LISTS.flatMap((list) =>
      cursors.map(
        (cursor): Call => ({ path: `/api/v3/${list}?cursor=${encodeURIComponent(cursor)}&limit=2` }),
      ),
    );
    const outcomes = await sendAll(calls, 8);
    for (const [at, { status, bytes, failure }] of outcomes.entries()) {
      const what = `${calls[at]!.path.slice(0, 80)}: ${failure ?? status}, ${bytes} bytes`;
      must(failure !== null || (status >= 400 && status < 500 && bytes < 4_096), what);
    }
  },
};
