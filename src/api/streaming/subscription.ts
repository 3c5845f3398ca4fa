import { supportedTypes } from '../v3/parameters/action-types.ts';

/** Types of events (streaming.md 2) that are sent to those who ask for them. */
export const EVENT_TYPES = [
  'transactions',
  'actions',
  'trace',
  'account_state_change',
  'jettons_change',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const FINALITIES = ['pending', 'confirmed', 'finalized'] as const;
export type Finality = (typeof FINALITIES)[number];

/** Subscription of a connection (streaming.md 2). */
export interface Subscription {
  readonly types: ReadonlySet<EventType>;
  /** Raw, as `rawAddress` writes them. */
  readonly addresses: ReadonlySet<string>;
  /** Normalised hashes of external messages, base64. */
  readonly hashes: ReadonlySet<string>;
  readonly minFinality: Finality;
  readonly withBook: boolean;
  readonly withMetadata: boolean;
  /** Types of actions that are sent; null: all that are supported. */
  readonly actionTypes: ReadonlySet<string> | null;
  readonly supported: ReadonlySet<string>;
}

/** Fields that a client sent, checked only for their type. */
export interface SubscriptionFields {
  readonly types: readonly string[];
  readonly addresses: readonly string[];
  readonly hashes: readonly string[];
  readonly minFinality: Finality;
  readonly withBook: boolean;
  readonly withMetadata: boolean;
  readonly actionTypes: readonly string[];
  readonly supportedTypes: readonly string[];
}

/** The choices of a subscription other than types, addresses and hashes. */
export function getChoices(fields: SubscriptionFields) {
  const { minFinality, withBook, withMetadata, actionTypes } = fields;
  return {
    minFinality,
    withBook,
    withMetadata,
    actionTypes: actionTypes.length > 0 ? new Set(actionTypes) : null,
    supported: supportedTypes(fields.supportedTypes),
  };
}

/** The same subscription without some addresses and hashes; types stay. */
export function without(
  subscription: Subscription,
  { addresses, hashes }: Pick<Subscription, 'addresses' | 'hashes'>,
): Subscription {
  return {
    ...subscription,
    addresses: subscription.addresses.difference(addresses),
    hashes: subscription.hashes.difference(hashes),
  };
}
