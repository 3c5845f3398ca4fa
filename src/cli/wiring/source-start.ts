import type { LogIdentity } from '../../platform/bus/port.ts';
import { openSource } from '../../stages/capture/open-source.ts';
import { establishLog, type StartOptions } from '../../stages/capture/plan-start.ts';
import { readStateFile } from '../../stages/capture/states.ts';
import type { OpenLog } from './data-directory.ts';
import { controlOf, LOCALNET, type LocalnetSettings, localnetOptions } from './localnet.ts';
import type { Session } from './session.ts';

/** A source, and what a new log is made with. */
export interface SourceSettings extends LocalnetSettings {
  readonly source: string;
  readonly state: readonly string[];
  readonly isolated: boolean;
  readonly network: string | undefined;
  readonly epochSize: number;
  readonly lanes: number;
}

/** A source that is open, and the log whose identity was decided by it or compared with it. */
export interface OpenStart {
  readonly start: Omit<StartOptions, 'signal'>;
  readonly identity: LogIdentity;
}

/** Opens the source, which is closed with the session, and decides or checks the log's identity. */
export async function openStart(
  log: OpenLog,
  settings: SourceSettings,
  session: Session,
): Promise<OpenStart> {
  const localnet = { ...localnetOptions(log.directory, settings), log: session.log };
  const source = await openSource(settings.source, { isolated: settings.isolated, localnet });
  session.shutdown.add('source', () => source.close());
  const start = {
    source,
    bus: log.bus,
    codec: log.codec,
    network: settings.network ?? (controlOf(source) ? LOCALNET : undefined),
    identity: { epochSize: settings.epochSize, lanes: settings.lanes },
    states: await Promise.all(settings.state.map((file) => readStateFile(file))),
  };
  const identity = await establishLog({ ...start, signal: session.signal }, await source.describe());
  return { start, identity };
}
