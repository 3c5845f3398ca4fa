import { logShape } from '../../capture/identity.ts';
import { establishLog, type StartOptions } from '../../capture/plan-start.ts';
import { getControl, LOCALNET } from '../../localnet/local-chain.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { SettingsIn } from '../../platform/config/settings.ts';
import type { Session } from '../session.ts';
import type { OpenLog } from './data-directory.ts';
import { readStartInput, type StartInput } from './start-input.ts';

/** A source, and what a new log is made with. */
export type SourceSettings = SettingsIn<'genesis' | 'localnet' | 'live' | 'start'> & {
  readonly source: string;
  /** Wait at the end of packages for more. Default false. */
  readonly follow?: boolean;
};

/** A source that is open, and the log whose identity was decided by it or compared with it. */
export interface OpenStart {
  readonly start: Omit<StartOptions, 'signal'>;
  readonly identity: LogIdentity;
}

/** Decides or checks the log's identity. `input`: already read, if it was needed before the log. */
export async function openStart(
  log: OpenLog,
  settings: SourceSettings,
  session: Session,
  input?: StartInput,
): Promise<OpenStart> {
  const { source, states } = input ?? (await readStartInput(log.directory, settings, session));
  const start = {
    source,
    bus: log.bus,
    codec: log.codec,
    network: settings.network ?? (getControl(source) ? LOCALNET : undefined),
    identity: logShape(settings, await log.bus.identity()),
    states,
    startLt: settings.startLt,
  };
  const identity = await establishLog({ ...start, signal: session.signal }, await source.describe());
  return { start, identity };
}
