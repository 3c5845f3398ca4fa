import type { DecoderSettings, EngineParts } from '../engine-parts.ts';
import type { TopicParts } from '../lanes/topic-member.ts';
import type { TableProjection, TopicProjection } from '../projection/projection.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { type RetrySettings, retryDeadLetters } from './retry-tables.ts';
import { retryTopics as retryOne } from './retry-topics.ts';

/** Retries the open dead letters of every projection into tables, in its served version. Answers how many are settled. */
export async function retryTables(
  parts: Omit<EngineParts, 'projection' | 'version'>,
  projections: readonly TableProjection[],
  settings: RetrySettings,
  signal: AbortSignal,
): Promise<number> {
  let settled = 0;
  for (const projection of projections) {
    const version = await servedVersion(parts.client, parts.identity, projection);
    settled += (await retryDeadLetters({ ...parts, projection, version }, settings, signal)).settled;
  }
  return settled;
}

/** Retries the open dead letters of every projection into topics. Answers how many are settled. */
export async function retryTopics(
  parts: Omit<TopicParts, 'projection'>,
  projections: readonly TopicProjection[],
  settings: DecoderSettings,
): Promise<number> {
  let settled = 0;
  for (const projection of projections) settled += await retryOne({ ...parts, projection }, settings);
  return settled;
}
