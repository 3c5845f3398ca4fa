import type { ProcessMetrics } from '../observability/metrics/metrics.ts';

/** From a process of a group to the process that started it. */
export type FromMember =
  | { readonly kind: 'ready' }
  /** For the other members. `joins`: they send what they last said about the topic. */
  | { readonly kind: 'say'; readonly topic: string; readonly message: unknown }
  | { readonly kind: 'joins'; readonly topic: string }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: ProcessMetrics }
  | { readonly kind: 'asks metrics'; readonly id: number };

/** From the process that started a group to one of its members. `from`: number of another member. */
export type ToMember =
  | { readonly kind: 'said'; readonly topic: string; readonly from: number; readonly message: unknown }
  | { readonly kind: 'joined'; readonly topic: string }
  | { readonly kind: 'gone'; readonly from: number }
  | { readonly kind: 'collect'; readonly id: number }
  | { readonly kind: 'all metrics'; readonly id: number; readonly text: string };
