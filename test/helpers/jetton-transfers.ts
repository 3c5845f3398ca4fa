import { putAddress, type Sent } from './action-traces.ts';
import { type Body, cellOf, withQuery } from './classified-actions.ts';

/** An owner and the jetton wallet. */
export type Holder = readonly [owner: string, wallet: string];

export interface Moved {
  readonly from: Holder;
  readonly to: Holder;
  readonly amount: bigint;
  /** Forward payload; null or absent for none. */
  readonly payload?: Body | null;
}

/** A complete transfer: the request, its arrival, and the notification, after which the receiver sends something on. */
export function jettonTransfer({ from, to, amount, payload }: Moved, ...sends: readonly Sent[]): Sent {
  return {
    op: 0x0f8a7ea5,
    to: from[1],
    body: withQuery((builder) => {
      putAddress(putAddress(builder.coins(amount), to[0]), from[0])
        .bit(false)
        .coins(1n);
      if (payload) builder.bit(true).ref(cellOf(payload));
      else builder.bit(false);
    }),
    sends: [
      {
        op: 0x178d4519,
        to: to[1],
        body: withQuery(
          (builder) => void putAddress(putAddress(builder.coins(amount), from[0]), from[0]).coins(1n),
        ),
        sends: [{ op: 0x7362d09c, to: to[0], sends }],
      },
    ],
  };
}
