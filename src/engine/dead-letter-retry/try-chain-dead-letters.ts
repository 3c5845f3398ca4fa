import type { DeadLetter } from '../dead-letters/dead-letter-list.ts';
import { isFailure } from '../decoding/chunk.ts';
import { startStoreDecoder } from '../decoding/start-decoder.ts';
import type { DecoderSettings, EngineParts } from '../engine-parts.ts';

/**
 * Tries the dead letters of a projection in chain order, and reports the step to replay from. A record that can be
 * decoded now changes the rows of every later step, and readers must not see half of that. Its letter stays open until
 * a replay settles it.
 */
export async function tryChainDeadLetters(
  parts: EngineParts,
  settings: DecoderSettings,
  deadLetters: readonly DeadLetter[],
): Promise<void> {
  const { log, projection } = parts;
  const decoder = await startStoreDecoder(parts, settings);
  try {
    const decoded: number[] = [];
    for (const { key, record } of deadLetters) {
      const position = Number(record.headers.position);
      const chunk = await decoder.decode([{ key, position, value: record.value }]);
      chunk.release();
      if (!chunk.outcomes.some(isFailure)) decoded.push(position);
    }
    if (decoded.length === 0) return;
    const from = Math.min(...decoded);
    log.warn(
      { projection: projection.name, dead_letters: decoded.length, from },
      `records can be decoded now, but all later rows depend on them: \`tonhouse replay ${projection.name} --from-seqno ${from}\``,
    );
  } finally {
    await decoder.close();
  }
}
