import type { Command } from 'commander';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import type { LaneSettings } from '../../engine/engine-parts.ts';
import { followServed, type ServedWatch } from '../../engine/lanes/follow-served.ts';
import { prepareStore } from '../../engine/versions/prepare-store.ts';
import { waitForIdentity } from '../../log/wait-for-identity.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { openLog } from '../compose/data-directory.ts';
import type { KafkaSettings } from '../compose/kafka.ts';
import { openSessionStore, type StoreSettings } from '../compose/store.ts';
import { storePatience } from '../compose/store-patience.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession, type Session, wasStopped } from '../session.ts';
import { DECODE_SETTINGS, STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

const SETTINGS = [...STORE_SETTINGS, ...DECODE_SETTINGS] as const;

/** `tonhouse decode`: the stage alone, until it is stopped. Its members share the lanes among themselves. */
export function decodeCommand(command: Command, exit: (code: number) => void): void {
  command.action(async (flags: Record<string, unknown>) => exit(await decode(flags)));
  addSettings(command, SETTINGS);
}

async function decode(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(SETTINGS, flags);
  return runSession(flags, async (session) => {
    try {
      await follow(settings, session);
    } catch (error) {
      if (!wasStopped(session, error)) throw error;
    }
    return EXIT.ok;
  });
}

type Settings = LaneSettings & StoreSettings & KafkaSettings & { readonly data: string };

async function follow(settings: Settings, session: Session): Promise<void> {
  const { signal, owner } = session;
  const log = await openLog(settings.data, session, settings);
  const identity = await waitForIdentity(log.bus, session);
  const client = await openSessionStore(log.directory, settings, session);
  await patiently(() => prepareStore(client, identity, PROJECTIONS), storePatience(session));
  const parts = { ...log, client, identity, owner, log: session.log, signal };
  session.log.info({ network: identity.network, owner }, 'decoding');
  const onBatch: ServedWatch['onBatch'] = ({ counts, lastPosition }) =>
    session.log.debug({ ...counts, masterchain: lastPosition }, 'a batch is in the store');
  await Promise.all(
    PROJECTIONS.map((projection) => followServed({ ...parts, projection }, settings, { onBatch }, signal)),
  );
}
