/** LayerZero (v3-actions-rules.md 10): messages that leave, arrive and are committed. */
import { describe, expect, it } from 'vitest';
import { address, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';
import {
  type Body,
  cellOf,
  classified,
  jettonWallet,
  type Known,
  withQuery,
} from '../../../helpers/classified-actions.ts';

const [USER, ENDPOINT, CHANNEL, ULN, LIBRARY, SENDER_WALLET, APP_WALLET, MASTER, OTHER] = [
  ...'uecliwxmo',
].map(address) as [string, string, string, string, string, string, string, string, string];
const APP = `0:${'AB'.repeat(32)}`;
const EVENT: Sent = { op: 0xe33b9873, to: null };
const TRANSFER: Sent = { to: OTHER };

const wallet = (...sends: Sent[]): Sent => ({ to: USER, sends });
const actionsOf = (root: Sent, known: Known = {}) => classified(traceFrom(root), known);
const typesOf = (root: Sent, known: Known = {}) => actionsOf(root, known).map(({ type }) => type);

const ones = (bits: number) => (1n << BigInt(bits)) - 1n;
const inFirst = (cell: Body, depth: number): Body =>
  depth === 0 ? cell : (builder) => builder.ref(cellOf(inFirst(cell, depth - 1)));

/** `name`: the first number of its header. */
const packet =
  (target: bigint, name = 417359019239977417716476838698419835n): Body =>
  (builder) => {
    builder.bigUint(name, 152).bigUint(ones(198), 198);
    builder.ref(
      cellOf((path) => {
        path.bigUint(8903714975572488637007080065659n, 152).bigUint(ones(198), 198);
        path.uint(30_101, 32).bigUint(0x0fn, 256).uint(30_343, 32).bigUint(target, 256);
      }),
    );
    // Bits after the last full byte are omitted.
    builder.ref(cellOf((message) => message.uint(0xc0ffee, 24).uint(0b101, 3)));
    builder.bigUint(17n, 64).bigUint(0xabcn, 256);
  };
const SHOWN = {
  src_eid: 30_101,
  src_oapp: '0xf',
  dst_eid: 30_343,
  dst_oapp: `0x${'ab'.repeat(32)}`,
  nonce: 17n,
  guid: '0xabc',
  message: '0xc0ffee',
};
const TARGET = BigInt(SHOWN.dst_oapp);

describe('a message that leaves', () => {
  const object = (of: Body): Body =>
    inFirst((builder) => {
      builder.bigUint(0x6c7a53656e64n, 80);
      builder.bigUint(582890735024998957421269964955452773563747974476099581n, 180).bigUint(ones(90), 90);
      builder.bigUint(5n, 64).bigUint(0x1fn, 256).bigUint(0x2fn, 256);
      builder.ref(cellOf(of)).ref(cellOf(() => {}));
      builder.ref(cellOf((fees) => fees.bigUint(0n, 256).bigUint(7n, 128).bigUint(8n, 128)));
    }, 3);
  const send = (sends: readonly Sent[]): Sent => ({
    op: 0xdd4ea3b4,
    to: ENDPOINT,
    sends: [
      {
        op: 0x536feb09,
        to: CHANNEL,
        sends: [
          {
            op: 0x4002b790,
            to: OTHER,
            sends: [{ op: 0x5de68393, to: ULN, sends: [{ op: 0x421c1a25, to: OTHER, sends }] }],
          },
        ],
      },
    ],
  });
  const sent = (of: Body, ...sends: Sent[]): Sent => ({ op: 0xa2b5fbae, to: OTHER, body: object(of), sends });
  const objects = {
    layerzero_send_data: {
      send_request_id: 5n,
      msglib_manager: '0x1f',
      msglib: '0x2f',
      native_fee: 7n,
      zro_fee: 8n,
      uln: ULN,
      endpoint: ENDPOINT,
      channel: CHANNEL,
    },
    layerzero_packet_data: SHOWN,
  };
  const whole = sent(packet(TARGET));

  it.each([
    ['plain', [EVENT, whole]],
    ['with five fees', [EVENT, ...Array<Sent>(5).fill(TRANSFER), whole]],
    ['with what its end sends on', [EVENT, sent(packet(TARGET), EVENT, TRANSFER)]],
  ])('%s is one action', (_what, sends) => {
    expect(actionsOf(wallet(send(sends)))).toMatchObject([
      { type: 'layerzero_send', success: true, source: USER, ...objects },
    ]);
  });

  it('leaves a sixth fee beside it', () => {
    const sends = [EVENT, ...Array<Sent>(6).fill(TRANSFER), whole];
    expect(typesOf(wallet(send(sends))).toSorted()).toEqual(['layerzero_send', 'ton_transfer']);
  });

  it.each([
    ['without its event', [whole]],
    ['without its end', [EVENT]],
    ['with another object', [EVENT, sent(packet(TARGET, 1n))]],
  ])('%s is none', (_what, sends) => {
    expect(typesOf(wallet(send(sends)))).not.toContain('layerzero_send');
  });

  it('with tokens takes their transfer in', () => {
    const tokens = (...sends: Sent[]): Sent =>
      wallet({
        op: 0x0f8a7ea5,
        to: SENDER_WALLET,
        body: withQuery(
          (builder) =>
            void putAddress(putAddress(builder.coins(30n), APP), USER)
              .bit(false)
              .coins(1n)
              .bit(false),
        ),
        sends: [
          {
            op: 0x178d4519,
            to: APP_WALLET,
            body: withQuery(
              (builder) => void putAddress(putAddress(builder.coins(30n), USER), USER).coins(1n),
            ),
            sends: [{ op: 0x7362d09c, to: APP, sends }],
          },
        ],
      });
    const known = { [SENDER_WALLET]: jettonWallet(USER, MASTER), [APP_WALLET]: jettonWallet(APP, MASTER) };
    expect(actionsOf(tokens(EVENT, send([EVENT, whole])), known)).toMatchObject([
      {
        type: 'layerzero_send_tokens',
        source: USER,
        source_secondary: SENDER_WALLET,
        destination: APP,
        destination_secondary: APP_WALLET,
        asset: MASTER,
        amount: 30n,
        ...objects,
      },
    ]);
    expect(typesOf(tokens(send([EVENT, whole])), known).toSorted()).toEqual([
      'jetton_transfer',
      'layerzero_send',
    ]);
  });
});

describe('a message that arrives', () => {
  const receive = (target: bigint, answer: readonly Sent[], ...before: Sent[]): Sent =>
    wallet({
      op: 0x22f3ac09,
      to: ULN,
      sends: [
        ...before,
        {
          op: 0x97df404c,
          to: ENDPOINT,
          sends: [
            {
              op: 0xb7680bc6,
              to: CHANNEL,
              sends: [{ op: 0x0c7b8418, to: APP, body: inFirst(packet(target), 2), sends: answer }],
            },
          ],
        },
      ],
    });
  const answer: Sent = { op: 0xcaae25a1, to: CHANNEL };

  it.each([
    ['plain', receive(TARGET, [answer])],
    ['with a fee and events', receive(TARGET, [EVENT, { ...answer, sends: [EVENT, TRANSFER] }], TRANSFER)],
  ])('%s is one action', (_what, root) => {
    expect(actionsOf(root)).toMatchObject([
      {
        type: 'layerzero_receive',
        success: true,
        source: USER,
        destination: APP,
        destination_secondary: CHANNEL,
        layerzero_packet_data: SHOWN,
      },
    ]);
  });

  it.each([
    ['for another application', receive(TARGET + 1n, [answer])],
    ['without an answer', receive(TARGET, [EVENT])],
  ])('%s is none', (_what, root) => {
    expect(typesOf(root)).not.toContain('layerzero_receive');
  });
});

describe('a message that is committed', () => {
  const commit = (...sends: Sent[]): Sent =>
    wallet({
      op: 0x28b97077,
      to: OTHER,
      sends: [
        {
          op: 0xf9d37b80,
          to: ULN,
          sends: [
            {
              op: 0x5dab749a,
              to: ENDPOINT,
              sends: [{ op: 0x5388cd88, to: CHANNEL, body: inFirst(packet(TARGET), 2), sends }],
            },
          ],
        },
      ],
    });

  it.each([
    ['plain', commit({ op: 0x5e178f33, to: LIBRARY })],
    ['with an event and a fee', commit(EVENT, { op: 0x5e178f33, to: LIBRARY, sends: [TRANSFER] })],
  ])('%s is one action', (_what, root) => {
    expect(actionsOf(root)).toMatchObject([
      {
        type: 'layerzero_commit_packet',
        source: USER,
        source_secondary: ENDPOINT,
        destination_secondary: ULN,
        asset: CHANNEL,
        asset_secondary: LIBRARY,
        layerzero_packet_data: SHOWN,
      },
    ]);
  });

  it('without the library is none', () => {
    expect(typesOf(commit(EVENT))).not.toContain('layerzero_commit_packet');
  });
});
