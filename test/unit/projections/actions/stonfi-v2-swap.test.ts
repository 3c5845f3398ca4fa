/** stonfi v2 swaps (v3-actions-rules.md 5.3): the wanted asset of a failed one. */
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
import { jettonTransfer } from '../../../helpers/jetton-transfers.ts';

const [USER, ROUTER, POOL] = [...'urp'].map(address) as [string, string, string];
const [A, B] = [address(1), address(2)];
const [USER_A, ROUTER_A, ROUTER_B, NOBODYS] = [address(11), address(21), address(22), address(99)];
const DONE = 0xc64370e5;
const KNOWN: Known = {
  [USER_A]: jettonWallet(USER, A),
  [ROUTER_A]: jettonWallet(ROUTER, A),
  [ROUTER_B]: jettonWallet(ROUTER, B),
};

/** Wish of a swap, in the payload that the router is notified with. */
const wish =
  (wallet: string): Body =>
  (builder) =>
    void putAddress(builder.uint(0x6664de2a, 32), wallet);

/** The router's request to the pool, with the wallet of the token that is wanted. */
const swap = (wallet: string, ...sends: Sent[]): Sent => ({
  op: 0x6664de2a,
  to: POOL,
  body: withQuery((builder) => {
    const terms = cellOf((one) => void putAddress(one.coins(1n), USER).coins(0n).bit(false));
    const wanted = cellOf((one) => {
      putAddress(putAddress(putAddress(one.uint(0, 32), wallet), USER), USER)
        .bigUint(0n, 64)
        .ref(terms);
    });
    putAddress(builder, USER).coins(100n).coins(0n).ref(wanted);
  }),
  sends,
});

/** The router pays back what came in. */
const paidBack = (
  exitCode: number,
  to: readonly [string, string] = [USER, USER_A],
  ...sends: Sent[]
): Sent => ({
  op: 0x657b54f5,
  to: ROUTER,
  body: withQuery((builder) => {
    putAddress(putAddress(putAddress(builder, USER), USER), USER)
      .uint(exitCode, 32)
      .bit(false);
    builder.ref(
      cellOf((one) => void putAddress(putAddress(one.coins(0n).coins(100n), ROUTER_A).coins(0n), ROUTER_B)),
    );
  }),
  sends: [jettonTransfer({ from: [ROUTER, ROUTER_A], to, amount: 100n }, ...sends)],
});

const given = (payload: Body, ...sends: Sent[]) =>
  jettonTransfer({ from: [USER, USER_A], to: [ROUTER, ROUTER_A], amount: 100n, payload }, ...sends);

describe('a swap of jettons', () => {
  it.each([
    ['as the pool was asked', ROUTER_B, ROUTER_A],
    ['as the payload says, where nobody knows what the pool was asked for', NOBODYS, ROUTER_B],
  ])('that failed shows what was wanted %s', (_, asked, named) => {
    const sent = given(wish(named), swap(asked, paidBack(0x5ffe1295)));
    const actions = classified(traceFrom({ to: USER, sends: [sent] }), KNOWN);
    expect(actions).toMatchObject([
      {
        type: 'jetton_swap',
        success: false,
        asset: A,
        asset2: B,
        jetton_swap_data: {
          dex: 'stonfi_v2',
          dex_incoming_transfer: { asset: A, amount: 100n, destination: ROUTER },
          dex_outgoing_transfer: { asset: A, amount: 100n, destination: USER },
        },
      },
    ]);
  });

  it('of two pools of which the second fails has no steps', () => {
    const second = swap(ROUTER_B, paidBack(0x5ffe1295));
    const sent = given(wish(ROUTER_B), swap(ROUTER_A, paidBack(DONE, [ROUTER, ROUTER_A], second)));
    expect(classified(traceFrom({ to: USER, sends: [sent] }), KNOWN)).toMatchObject([
      { type: 'jetton_swap', success: false, jetton_swap_data: { dex: 'stonfi_v2', peer_swaps: [] } },
    ]);
  });

  it('that is done shows what was paid', () => {
    const sent = given(wish(ROUTER_B), swap(ROUTER_B, paidBack(DONE)));
    const [action] = classified(traceFrom({ to: USER, sends: [sent] }), KNOWN);
    expect(action).toMatchObject({ success: true, asset2: A });
  });
});
