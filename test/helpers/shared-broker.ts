import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * Returns what asks for the broker that the files of a run share, and starts it if it does not run; null if the run has
 * none (`test/setup/shared-broker.ts`). The call rejects if the broker cannot start.
 */
export function sharedBrokers(): (() => Promise<readonly string[]>) | null {
  const path = process.env.TEST_BROKER_SOCKET;
  if (!path) return null;
  return async () => {
    const { brokers, error } = JSON.parse(await text(connect(path))) as {
      brokers?: string[];
      error?: string;
    };
    if (!brokers) throw new Error(`the shared broker did not start: ${error}`);
    return brokers;
  };
}
