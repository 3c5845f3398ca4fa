import { Command } from 'commander';
import { INPUT, PROJECTIONS } from '../../../pipelines/projections.ts';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { requireDroppable } from '../../engine/cold/require-droppable.ts';
import { dropOldRecords } from '../../engine/retention/seal-log.ts';
import { prepareBegun } from '../../engine/versions/begun-projections.ts';
import type { LogIdentity, SealedRange } from '../../log/port.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { type OpenLog, openLog, requireIdentity } from '../compose/data-directory.ts';
import { NoSealingError } from '../compose/log/no-sealing-error.ts';
import { openSessionStore, type StoreSettings } from '../compose/store.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession, type Session } from '../session.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

type Flags = Record<string, unknown>;

/** `tonhouse log seal`: seals the finished epochs of the log. */
export function logCommand(command: Command, exit: (code: number) => void): void {
  const seal = new Command('seal')
    .description('seal the finished epochs that all stages have passed into compressed files')
    .option('--json', 'print one JSON object')
    .action(async (flags: Flags) => exit(await sealLog(flags)));
  command.addCommand(addSettings(seal, SEAL_SETTINGS).exitOverride());
}

const SEAL_SETTINGS = [...STORE_SETTINGS, 'hotEpochs', 'raw'] as const;

async function sealLog(flags: Flags): Promise<number> {
  const settings = resolveSettings(SEAL_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(log);
    if (!log.sealing) throw new NoSealingError();
    const before = await log.bus.size();
    const sealed = await log.sealing.seal(RAW_BLOCKS, session.signal);
    const dropped = settings.hotEpochs > 0 ? await dropCold({ log, identity }, settings, session) : [];
    if (settings.raw !== undefined) await log.rawMover?.move(settings.raw, session);
    const report = { sealed, bytes_before: before, bytes_after: await log.bus.size(), dropped };
    printAnswer(flags.json ? `${JSON.stringify(report)}\n` : text(sealed, report));
    session.signal.throwIfAborted();
    return EXIT.ok;
  });
}

/** Drops the raw blocks of old epochs from the store. Returns the epochs. */
async function dropCold(
  { log, identity }: { readonly log: OpenLog; readonly identity: LogIdentity },
  settings: StoreSettings & { readonly hotEpochs: number },
  session: Session,
): Promise<readonly number[]> {
  const client = await openSessionStore(log.directory, settings, session);
  requireDroppable(log, client);
  await prepareBegun(client, identity, PROJECTIONS);
  const { owner, signal } = session;
  const parts = { ...log, projection: INPUT, client, identity, owner, log: session.log };
  return dropOldRecords(parts, settings.hotEpochs, signal);
}

interface SealReport {
  readonly bytes_before: number;
  readonly bytes_after: number;
  /** Epochs whose raw blocks were dropped from the store. */
  readonly dropped: readonly number[];
}

function text(sealed: readonly SealedRange[], { bytes_before, bytes_after, dropped }: SealReport): string {
  const lines = sealed.map(
    ({ epoch, first, last, records, bytes }) =>
      `epoch ${epoch}  masterchain ${first} to ${last}  ${records} records  ${megabytes(bytes)}`,
  );
  const total = `${sealed.length} epochs sealed; log ${megabytes(bytes_before)}, now ${megabytes(bytes_after)}`;
  const cold = dropped.length > 0 ? [`raw blocks of ${dropped.length} epochs dropped from the store`] : [];
  return `${[...lines, total, ...cold].join('\n')}\n`;
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
