import type { Bus, LogConsumer } from '../../../src/log/port.ts';
import { closeLogStore, type LogStore, openLogStore } from '../../../src/log/sqlite/log-store.ts';
import { sealSegment } from '../../../src/log/sqlite/sealing/seal-segment.ts';
import type { Segment } from '../../../src/log/sqlite/segment-files.ts';
import { makeFolders } from '../../../src/platform/files/folders.ts';
import { type TemporaryLog, temporaryLog } from './temporary-log.ts';

/** Seals every segment except that of the tail, whether groups have passed it or not. Returns how many. */
export function sealEverything(store: LogStore): number {
  makeFolders(store.sealed.folder);
  const segments = store.log.all<Segment>(
    `SELECT s.id, s.topic, s.epoch, s.lane FROM segments s JOIN topics t USING (topic)
     WHERE s.id <> coalesce(t.tail_segment, -1) AND EXISTS (SELECT 1 FROM runs r WHERE r.segment = s.id)`,
  );
  for (const segment of segments) for (const _ of sealSegment(store, segment));
  return segments.length;
}

/** A log that another process seals before every read, as far as it can. */
export async function sealedLog(): Promise<TemporaryLog> {
  const log = await temporaryLog();
  let sealer: LogStore | undefined;
  const seal = () => {
    sealer ??= openLogStore(log.directory);
    sealEverything(sealer);
  };
  return {
    ...log,
    open: async () => sealing(await log.open(), seal),
    async dispose() {
      if (sealer) closeLogStore(sealer);
      await log.dispose();
    },
  };
}

function sealing(bus: Bus, seal: () => void): Bus {
  return beforeCalls(bus, {
    read: seal,
    check: seal,
    committedPositions: seal,
    consumer: async (...args: Parameters<Bus['consumer']>): Promise<LogConsumer> =>
      beforeCalls(await bus.consumer(...args), { read: seal }),
  });
}

/** The same object, with a function called before some methods; one that returns something replaces the method. */
function beforeCalls<Target extends object>(
  target: Target,
  before: Readonly<Record<string, (...args: never[]) => unknown>>,
): Target {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) =>
        before[String(name)]?.(...(args as never[])) ??
        (value as (...all: unknown[]) => unknown).apply(target, args);
    },
  });
}
