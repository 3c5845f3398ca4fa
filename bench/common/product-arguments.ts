import { fileURLToPath } from 'node:url';
import { PRODUCT_BUFFERS, PRODUCT_HEAP } from '../../test/simulation/common/product-memory.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const DIE_WITH_RUNNER = new URL('../../test/simulation/common/die-with-runner.ts', import.meta.url).href;

/**
 * Arguments of a Node that runs `script` with the heap that bin/tonhouse and npm start give it. The process must be
 * started with an IPC channel: it ends when the bench is gone, however that one ended.
 */
export function productArguments(
  args: readonly string[],
  script = MAIN,
  nodeFlags: readonly string[] = [],
): string[] {
  return [PRODUCT_HEAP, ...nodeFlags, '--import', DIE_WITH_RUNNER, script, ...args];
}

/** Variables of such a process: the bench's own, and the memory settings of bin/tonhouse and npm start. */
export function productEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, ...PRODUCT_BUFFERS };
}
