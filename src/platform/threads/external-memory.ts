import { setFlagsFromString } from 'node:v8';

/** Older ones lack the flag. */
const FIRST_NODE = 26;

/**
 * Lets memory outside of the JavaScript heap (buffers of blocks and rows) be collected by a limit that grows with what
 * is in use. By V8's default 64 MiB of new buffers begin a collection of the whole heap, hundreds in a
 * replay of a million transactions (docs/decisions/0013-replay.md). For the whole process; may be called again.
 */
export function deferBufferCollection(): void {
  if (Number.parseInt(process.versions.node, 10) >= FIRST_NODE)
    setFlagsFromString('--external-memory-accounted-in-global-limit');
}
