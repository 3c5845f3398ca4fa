import { openEmbeddedBus } from '../../../src/platform/bus/embedded/embedded-bus.ts';
import { createKafkaBus } from '../../../src/platform/bus/kafka/kafka-bus.ts';
import type { Bus } from '../../../src/platform/bus/port.ts';

/** Where a log is, in words that another process understands. */
export type LogPlace =
  | { readonly kind: 'embedded'; readonly directory: string }
  | { readonly kind: 'kafka'; readonly brokers: readonly string[]; readonly prefix: string };

export function openPlace(place: LogPlace): Promise<Bus> {
  return place.kind === 'embedded' ? openEmbeddedBus(place) : createKafkaBus(place);
}
