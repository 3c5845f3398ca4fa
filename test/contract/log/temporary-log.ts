import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bus } from '../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../src/log/sqlite/embedded-bus.ts';
import type { LogUnderTest } from './log-fixture.ts';

export interface TemporaryLog extends LogUnderTest {
  readonly directory: string;
}

/** An embedded log in a folder of its own under the system's temporary folder. */
export async function temporaryLog(): Promise<TemporaryLog> {
  const directory = await mkdtemp(join(tmpdir(), 'tonhouse-log-'));
  const opened: Bus[] = [];
  return {
    directory,
    place: { kind: 'embedded', directory },
    async open() {
      const bus = await openEmbeddedBus({ directory });
      opened.push(bus);
      return bus;
    },
    async dispose() {
      for (const bus of opened) await bus.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
