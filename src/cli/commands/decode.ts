import type { Command } from 'commander';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { EXIT } from '../exit-codes.ts';
import { DECODE_SETTINGS, STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';
import { openLog, waitForIdentity } from '../wiring/data-directory.ts';
import type { DecodeSettings } from '../wiring/decode.ts';
import { decodeServed, type ServedWatch } from '../wiring/decode-served.ts';
import type { KafkaSettings } from '../wiring/kafka.ts';
import { prepareStore } from '../wiring/projection.ts';
import { runSession, type Session, wasStopped } from '../wiring/session.ts';
import { openSessionStore, type StoreSettings } from '../wiring/store.ts';
import { storePatience } from '../wiring/store-patience.ts';

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

type Settings = DecodeSettings & StoreSettings & KafkaSettings & { readonly data: string };

async function follow(settings: Settings, session: Session): Promise<void> {
  const { signal, owner } = session;
  const log = await openLog(settings.data, session, settings);
  const identity = await waitForIdentity(log, session);
  const client = await openSessionStore(log.directory, settings, session);
  await patiently(() => prepareStore(client, identity), storePatience(session));
  const parts = { ...log, client, identity, owner, log: session.log, signal };
  session.log.info({ network: identity.network, owner }, 'decoding');
  const onBatch: ServedWatch['onBatch'] = ({ counts, lastPosition }) =>
    session.log.debug({ ...counts, masterchain: lastPosition }, 'a batch is in the store');
  await decodeServed(parts, settings, { onBatch }, signal);
}
