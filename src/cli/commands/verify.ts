import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { INPUT, PROJECTIONS } from '../../../pipelines/projections.ts';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { openBlockArchive } from '../../capture/block-archive.ts';
import type { AuditedParts, LaneSettings } from '../../engine/engine-parts.ts';
import { type RepairReport, repairStore } from '../../engine/repair/repair-store.ts';
import { repairText } from '../../engine/repair/repair-text.ts';
import { writeLogCheckNote } from '../../engine/status/log-check-note.ts';
import { verifyChains } from '../../engine/verify/verify-chain.ts';
import { logCheckText, verifyText } from '../../engine/verify/verify-text.ts';
import { verifyVersion } from '../../engine/verify/verify-version.ts';
import { prepareBegun } from '../../engine/versions/begun-projections.ts';
import { isStoreMade } from '../../engine/versions/require-store.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { detachedParts, dropDetachedParts } from '../../platform/clickhouse/detached-parts.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { checkLog, type LogCheckResult } from '../compose/block-index.ts';
import {
  EmptyDataDirectoryError,
  type LogSettings,
  type OpenLog,
  openLog,
  requireIdentity,
} from '../compose/data-directory.ts';
import { fileReading } from '../compose/file-reading.ts';
import { compareLookUps } from '../compose/lookup/compare-look-ups.ts';
import { getLookUpFolder } from '../compose/lookup/indexed-projections.ts';
import { isDamagedLog, type RebuiltLog, rebuildLog } from '../compose/rebuild-log.ts';
import { openReadStore, openSessionStore, type StoreSettings } from '../compose/store.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession, type Session } from '../session.ts';
import { REPLAY_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

type Flags = Record<string, unknown>;

/** `tonhouse verify`: verifies the store; exit code 1 if a check finds a problem. */
export function verifyCommand(command: Command, exit: (code: number) => void): void {
  command
    .option('--json', 'print one JSON object')
    .option('--log', 'also check the files of the log, and the file hash of every block in it')
    .option('--repair', 'first rebuild what is missing: from the log, the stored blocks and --source')
    .addOption(
      new Option(
        '--source <SOURCE>',
        'with --repair: source of blocks that store and log lack, archive:PATH or files:PATH',
      ),
    )
    .action(async (flags: Flags) => exit(await verify(flags)));
  addSettings(command, SETTINGS);
}

const SETTINGS = [...REPLAY_SETTINGS, 'lookupIndex'] as const;

async function verify(flags: Flags): Promise<number> {
  const settings = resolveSettings(SETTINGS, flags);
  return runSession(flags, async (session) => {
    const opened = await open(settings, flags, session);
    const isMade = await prepare(opened, flags);
    if (!isMade) throw new EmptyDataDirectoryError(opened.log.directory);
    const started = performance.now();
    const repaired = flags.repair
      ? await repair(buildAuditedParts(opened, session), settings, flags, session)
      : null;
    // Only now: the readable part of the old log was needed until here.
    const { log, rebuilt } = opened.isLogDamaged ? await replaceLog(opened, flags, session) : opened;
    const parts = buildAuditedParts({ ...opened, log }, session);
    const own = await runChecks(parts, flags, session);
    const chains = await verifyChains(parts, PROJECTIONS);
    const lookUps = await compareLookUps(opened, getLookUpFolder(log.directory, settings), session.signal);
    const found = { ...own, checks: [...own.checks, ...chains, ...lookUps] };
    const logged = flags.log ? await checkTheLog(log, session) : null;
    const { checks, visible, database } = found;
    const problems = checks.reduce((sum, result) => sum + result.problems, logged?.problems ?? 0);
    const isComplete = repaired && problems === 0 && repaired.lost.length === 0;
    if (isComplete && !opened.client.cluster) await dropDetachedParts(opened.client, database);
    const detached = await detachedParts(opened.client, database);
    const report = {
      network: opened.identity.network,
      visible,
      problems,
      seconds: (performance.now() - started) / 1000,
      ...(repaired ? { repair: repaired } : {}),
      ...(rebuilt ? { rebuilt_log: rebuilt } : {}),
      detached_parts: detached,
      ...(logged ? { log: logged } : {}),
      checks,
    };
    const text = () =>
      `${repaired ? repairText(repaired) : ''}${rebuilt ? rebuiltText(rebuilt) : ''}${logged ? logCheckText(logged) : ''}${verifyText(found, problems, detached)}`;
    printAnswer(flags.json ? `${JSON.stringify(report)}\n` : text());
    return problems === 0 && visible ? EXIT.ok : EXIT.failed;
  });
}

/** Only a repair brings the store up to date. False if no store exists yet. */
async function prepare({ client, identity }: Opened, { repair }: Flags): Promise<boolean> {
  if (!repair) return isStoreMade(client, identity, PROJECTIONS);
  await prepareBegun(client, identity, PROJECTIONS);
  return true;
}

type Settings = LogSettings & StoreSettings & { readonly data: string };

interface Opened {
  readonly log: OpenLog;
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  /** Files of the log are damaged. */
  readonly isLogDamaged: boolean;
  /** The log was made again when it was opened. */
  readonly rebuilt: RebuiltLog | null;
}

/** The log and the store; with --repair a log that cannot be used is made again from the store. */
async function open(settings: Settings, flags: Flags, session: Session): Promise<Opened> {
  const { repair } = flags;
  let opened: OpenLog | null = null;
  try {
    opened = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(opened);
    const problems = repair ? await opened.bus.check(() => {}) : [];
    if (problems.length > 0) session.log.warn({ problems: problems.slice(0, 5) }, 'the log is damaged');
    const openStore = repair ? openSessionStore : openReadStore;
    const client = await openStore(opened.directory, settings, session);
    return { log: opened, client, identity, isLogDamaged: problems.length > 0, rebuilt: null };
  } catch (error) {
    const isEmpty = error instanceof EmptyDataDirectoryError && hasStore(settings.data);
    if (!repair || !(isDamagedLog(error) || isEmpty)) throw error;
    session.log.warn({ error }, 'the log cannot be used');
    await opened?.bus.close();
  }
  const directory = resolve(settings.data);
  const client = await openSessionStore(directory, settings, session);
  const { log, rebuilt } = await rebuildLog(directory, client, flags, session);
  return { log, client, identity: await requireIdentity(log), isLogDamaged: false, rebuilt };
}

function rebuiltText({ aside, files, records, refused }: RebuiltLog): string {
  const lines = [
    `repair: the log is made again from the store and ${files} sealed files with ${records} records; the damaged one is in ${aside}`,
    ...refused.map(({ file, reason }) => `repair: the log does not have ${file} any more: ${reason}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether a store was made in the data directory. */
const hasStore = (data: string): boolean => existsSync(join(data, 'clickhouse', 'data'));

function buildAuditedParts(
  { log, client, identity }: Opened,
  { owner, signal, log: logger }: Session,
): AuditedParts {
  return { ...log, projection: INPUT, client, identity, owner, log: logger, signal };
}

async function replaceLog({ log, client }: Opened, flags: Flags, session: Session) {
  await log.bus.close();
  return rebuildLog(log.directory, client, flags, session);
}

async function repair(
  parts: AuditedParts,
  settings: LaneSettings,
  { source }: Flags,
  session: Session,
): Promise<RepairReport> {
  const archive = source === undefined ? null : await openBlockArchive(String(source), fileReading(session));
  if (archive) session.shutdown.add('archive', () => archive.close());
  const onStep = (step: string) => session.log.info({}, step);
  return repairStore(parts, settings, archive, { ...session, onStep });
}

async function runChecks(parts: AuditedParts, { log, repair }: Flags, { signal }: Session) {
  const progress = createProgress('checks');
  try {
    return await verifyVersion(parts, {
      isFull: Boolean(log ?? repair),
      onProgress: (done, total, check) => progress.update(done, total, check),
      signal,
    });
  } finally {
    progress.stop();
  }
}

async function checkTheLog({ bus, codec, directory }: OpenLog, { signal }: Session): Promise<LogCheckResult> {
  const progress = createProgress('log');
  try {
    const result = await checkLog({
      bus,
      codec,
      topic: RAW_BLOCKS,
      onProgress: (done, total, what) => progress.update(done, total, what),
      signal,
    });
    writeLogCheckNote(directory, result);
    return result;
  } finally {
    progress.stop();
  }
}
