import { createKafkaBus } from '../../../src/log/kafka/kafka-bus.ts';
import type { Bus } from '../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../src/log/sqlite/embedded-bus.ts';

/** A log's location in a form for other processes. */
export type LogPlace =
  | { readonly kind: 'embedded'; readonly directory: string }
  | { readonly kind: 'kafka'; readonly brokers: readonly string[]; readonly prefix: string };

export function openPlace(place: LogPlace): Promise<Bus> {
  return place.kind === 'embedded' ? openEmbeddedBus(place) : createKafkaBus(place);
}
