import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { call, optional } from '../../match/pattern.ts';
import type { Block, BlockKind } from '../../tree/block.ts';

const PAYMENT_REQUEST = 0x706c7567;
const PAYMENT_CONFIRMED = 0xf06c7567;
const SUBSCRIPTION_PAYMENT = 0x73756273;
const PLUGIN_DESTRUCT = 0x64737472;

/** A payment to a plugin of a wallet, or the end of it. */
interface Subscription {
  readonly subscriber: string | null;
  readonly beneficiary: string | null;
  readonly subscription: string | null;
  readonly amount: bigint | null;
}

function subscriptionKind(name: string): BlockKind<Subscription> {
  return {
    name,
    type: name,
    columns: ({ subscriber, beneficiary, subscription, amount }) => ({
      source: subscriber,
      destination: beneficiary,
      destination_secondary: subscription,
      amount,
    }),
    details: ({ subscriber, beneficiary, subscription, amount }) => ({
      subscriber,
      beneficiary: beneficiary ?? undefined,
      subscription,
      amount: amount ?? undefined,
    }),
  };
}

const SUBSCRIBE = subscriptionKind('subscribe');
const UNSUBSCRIBE = subscriptionKind('unsubscribe');

/** payment_request#706c7567 query amount:Coins … */
function buildSubscribe(block: Block, found: Found, context: Context): Block {
  const request = found.maybe('request');
  return context.merge({
    kind: SUBSCRIBE,
    parts: [block, ...found.blocks],
    failed: request?.aborted ?? false,
    data: {
      subscriber: block.source,
      beneficiary: found.get('payment').destination,
      subscription: block.destination,
      amount: request ? request.body().skip(64).coins() : block.value,
    },
  });
}

function buildUnsubscribe(block: Block, found: Found, context: Context): Block {
  return context.merge({
    kind: UNSUBSCRIBE,
    parts: [block, ...found.blocks],
    data: {
      subscriber: block.source,
      beneficiary: found.maybe('notice')?.destination ?? null,
      subscription: block.destination,
      amount: null,
    },
  });
}

/**
 * subscribe: 0xf06c7567 from the wallet to its plugin → 0x73756273 to the beneficiary; a 0x706c7567 before it gives the
 * amount, and failed when it was aborted. unsubscribe: 0x64737472, whose child of the same op goes to the beneficiary.
 */
export const subscriptions: readonly Matcher[] = [
  {
    name: 'subscribe',
    after: ['election_recover'],
    pattern: call(PAYMENT_CONFIRMED, {
      child: call(SUBSCRIPTION_PAYMENT, { label: 'payment' }),
      parent: optional(call(PAYMENT_REQUEST, { label: 'request' })),
      build: buildSubscribe,
    }),
  },
  {
    name: 'unsubscribe',
    after: ['subscribe'],
    pattern: call(PLUGIN_DESTRUCT, {
      child: optional(call(PLUGIN_DESTRUCT, { label: 'notice' })),
      build: buildUnsubscribe,
    }),
  },
];
