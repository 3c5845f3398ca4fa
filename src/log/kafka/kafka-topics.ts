import type { LogIdentity, TopicKind, TransformOptions } from '../port.ts';
import { checkOptions, type KafkaBusOptions } from './kafka-options.ts';
import { closeParts, type KafkaParts, openParts } from './kafka-parts.ts';
import type { TopicSpec } from './topic-settings.ts';

/** Expected topics. */
export interface WantedTopics {
  /** Recorded in a new log, compared in an existing one. */
  readonly identity: LogIdentity;
  /** Topics of the port to create in addition to those known to the log. */
  readonly topics: readonly { readonly name: string; readonly kind: TopicKind }[];
  /** Topics that others read, and how far they are. */
  readonly transforms?: readonly TransformOptions[];
}

/** A topic of Kafka under the log's prefix. */
export interface TopicReport {
  readonly topic: string;
  readonly partitions: number;
  readonly copies: number;
  /** Settings that were changed outside: the bus does not restore them. */
  readonly differences: readonly {
    readonly setting: string;
    readonly expected: string;
    readonly found: string;
  }[];
}

/**
 * Creates missing topics of a log, and reports the settings of all.
 * @throws IdentityMismatchError, TopicMismatchError and the errors of `createKafkaBus`
 */
export async function ensureKafkaTopics(
  options: KafkaBusOptions,
  { identity, topics, transforms = [] }: WantedTopics,
): Promise<readonly TopicReport[]> {
  checkOptions(options);
  const parts = await openParts(options);
  try {
    await parts.control.execute('establish', { identity });
    for (const { name, kind } of topics) await parts.registry.ensure(name, kind);
    const specs = transforms.flatMap((transform) => parts.settings.transformSpecs(transform, identity.lanes));
    if (specs.length > 0) await parts.admin.ensure(specs);
    return await reportTopics(parts, specs);
  } finally {
    await closeParts(parts);
  }
}

async function reportTopics(
  { control, registry, settings, admin }: KafkaParts,
  more: readonly TopicSpec[],
): Promise<TopicReport[]> {
  const specs = [settings.controlSpec()];
  for (const { name, kind, low } of control.state.topics.values()) {
    await registry.ensure(name, kind);
    specs.push(...settings.specs(name, kind, low.length));
  }
  specs.push(...more);
  const reports: TopicReport[] = [];
  for (const spec of specs) {
    const { partitions, copies, settings: found } = await admin.describe(spec.topic);
    reports.push({ topic: spec.topic, partitions, copies, differences: differences(spec, found) });
  }
  return reports;
}

function differences(spec: TopicSpec, found: Readonly<Record<string, string>>) {
  return Object.entries(spec.settings)
    .filter(([setting, expected]) => found[setting] !== expected)
    .map(([setting, expected]) => ({ setting, expected, found: found[setting] ?? '(none)' }));
}
