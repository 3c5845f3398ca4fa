import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { BASE } from '../../../pipelines/base.ts';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import type { LaneSettings } from '../../engine/engine-parts.ts';
import { prepareStore, servedVersion } from '../../engine/versions/prepare-store.ts';
import { databaseOf } from '../../engine/versions/version-names.ts';
import { readVisible } from '../../engine/watermark/visible-span.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import {
  type DetachedPart,
  detachedParts,
  dropDetachedParts,
} from '../../platform/clickhouse/detached-parts.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import type { CheckResult } from '../../projections/base/verify/check.ts';
import { readIndexFacts } from '../../projections/base/verify/index-facts.ts';
import { checkLog, type LogCheckResult } from '../../projections/base/verify/log-check.ts';
import { runVerify } from '../../projections/base/verify/verify-stage.ts';
import { openBlockArchive } from '../compose/block-archive.ts';
import {
  EmptyDataDirectoryError,
  type OpenLog,
  openLog,
  requireIdentity,
} from '../compose/data-directory.ts';
import type { KafkaSettings } from '../compose/kafka.ts';
import { writeLogCheckNote } from '../compose/log-check-note.ts';
import { openSteps } from '../compose/open-steps.ts';
import { isDamagedLog, rebuildLog } from '../compose/rebuild-log.ts';
import { type RepairReport, repairStore } from '../compose/repair-run.ts';
import { repairText } from '../compose/repair-text.ts';
import { openSessionStore, type StoreSettings } from '../compose/store.ts';
import { checkHandedSteps } from '../compose/unstored-steps.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession, type Session } from '../session.ts';
import { addSettings } from '../setting-options.ts';
import { REPLAY_SETTINGS } from './replay-options.ts';

type Flags = Record<string, unknown>;

/** `tonhouse verify`: proves the store from itself; exit code 1 where a check finds a problem. */
export function verifyCommand(command: Command, exit: (code: number) => void): void {
  command
    .option('--json', 'print one JSON object')
    .option('--log', 'check the log too: its files, and the file hash of every block that it keeps')
    .option('--repair', 'first build again what is missing: from the log, raw_blocks and --source')
    .addOption(
      new Option(
        '--source <SOURCE>',
        'with --repair: read blocks that the store and the log lack from archive:PATH or files:PATH',
      ),
    )
    .action(async (flags: Flags) => exit(await verify(flags)));
  addSettings(command, REPLAY_SETTINGS);
}

async function verify(flags: Flags): Promise<number> {
  const settings = resolveSettings(REPLAY_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const opened = await open(settings, flags, session);
    const { client, identity } = opened;
    let { log } = opened;
    await prepareStore(client, identity, PROJECTIONS);
    const started = performance.now();
    const repaired = flags.repair ? await repair(log, client, identity, settings, flags, session) : null;
    if (opened.isLogDamaged) {
      // Only now: what could still be read of it was wanted.
      await log.bus.close();
      log = await rebuildLog(log.directory, client, session);
    }
    const { checks, visible, database } = await runChecks(log, client, identity, flags, session);
    const logged = flags.log ? await checkTheLog(log, session) : null;
    const problems = checks.reduce((sum, result) => sum + result.problems, logged?.problems ?? 0);
    if (repaired && problems === 0 && repaired.lost.length === 0 && !client.cluster)
      await dropDetachedParts(client, database);
    const detached = await detachedParts(client, database);
    const report = {
      network: identity.network,
      visible,
      problems,
      seconds: (performance.now() - started) / 1000,
      ...(repaired ? { repair: repaired } : {}),
      detached_parts: detached,
      ...(logged ? { log: logged } : {}),
      checks,
    };
    process.stdout.write(
      flags.json
        ? `${JSON.stringify(report)}\n`
        : `${repaired ? repairText(repaired) : ''}${logged ? logText(logged) : ''}${text(checks, visible, problems, detached)}`,
    );
    return problems === 0 && visible ? EXIT.ok : EXIT.failed;
  });
}

type Settings = KafkaSettings & StoreSettings & { readonly data: string };

interface Opened {
  readonly log: OpenLog;
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  /** Files of the log are damaged. */
  readonly isLogDamaged: boolean;
}

/** The log and the store; with --repair a log that cannot be used is made again from the store. */
async function open(settings: Settings, { repair }: Flags, session: Session): Promise<Opened> {
  let opened: OpenLog | null = null;
  try {
    opened = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(opened);
    const problems = repair ? await opened.bus.check(() => {}) : [];
    for (const problem of problems.slice(0, 5)) session.log.warn({}, problem);
    const client = await openSessionStore(opened.directory, settings, session);
    return { log: opened, client, identity, isLogDamaged: problems.length > 0 };
  } catch (error) {
    const isEmpty = error instanceof EmptyDataDirectoryError && hasStore(settings.data);
    if (!repair || !(isDamagedLog(error) || isEmpty)) throw error;
    session.log.warn({ error }, 'the log cannot be used');
    await opened?.bus.close();
  }
  const directory = resolve(settings.data);
  const client = await openSessionStore(directory, settings, session);
  const log = await rebuildLog(directory, client, session);
  return { log, client, identity: await requireIdentity(log), isLogDamaged: false };
}

/** Whether a store was made in the data directory. */
const hasStore = (data: string): boolean => existsSync(join(data, 'clickhouse', 'data'));

async function repair(
  log: OpenLog,
  client: StoreClient,
  identity: LogIdentity,
  settings: LaneSettings,
  { source }: Flags,
  session: Session,
): Promise<RepairReport> {
  const archive = source === undefined ? null : await openBlockArchive(String(source));
  if (archive) session.shutdown.add('archive', () => archive.close());
  const { owner, signal } = session;
  const parts = { ...log, projection: BASE, client, identity, owner, log: session.log, signal };
  const onStep = (step: string) => session.log.info({}, step);
  return repairStore(parts, settings, archive, session, { onStep });
}

async function runChecks(
  { bus }: OpenLog,
  client: StoreClient,
  identity: LogIdentity,
  { log, repair }: Flags,
  { signal }: Session,
) {
  const { continuity } = identity.facts;
  const version = await servedVersion(client, identity, BASE);
  const database = databaseOf(identity, BASE, version);
  const visible = await readVisible(client, database, continuity);
  const progress = createProgress('checks');
  try {
    const checks = await runVerify({
      client,
      database,
      visible,
      look: () => readVisible(client, database, continuity),
      open: () => openSteps(bus, identity, version),
      facts: await readIndexFacts(client, database, identity),
      onProgress: (done, total, check) => progress.update(done, total, check),
      signal,
    });
    const handed = await checkHandedSteps({ bus, client, identity }, version, Boolean(log ?? repair), signal);
    return { checks: [...checks, handed], visible, database };
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

function logText({ records, bytes, problems, samples }: LogCheckResult): string {
  const found = problems === 0 ? 'ok  ' : 'FAIL';
  const size = `${records} records, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const lines = [
    `${found} ${'log'.padEnd(26)} ${size}: ${problems} problems`,
    ...samples.map((one) => `       ${one}`),
  ];
  return `${lines.join('\n')}\n`;
}

function text(
  results: readonly CheckResult[],
  visible: { first: number; last: number } | null,
  problems: number,
  detached: readonly DetachedPart[],
): string {
  const lines = results.flatMap(({ name, law, problems: found, samples, skipped }) => [
    `${skipped ? 'skip' : found === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(26)} ${skipped ?? (found === 0 ? law : `${found} problems`)}`,
    ...samples.map((sample) => `       ${sample}`),
  ]);
  if (detached.length > 0)
    lines.push(
      `note ${'detached-parts'.padEnd(26)} the server put ${detached.length} parts aside; \`tonhouse verify --repair\` removes them once all is whole`,
      ...detached.slice(0, 5).map(({ table, part, reason }) => `       ${table} ${part} ${reason}`),
    );
  if (!visible && problems === 0) return 'nothing is indexed\n';
  const range = visible ? `masterchain ${visible.first} to ${visible.last}` : 'nothing is visible';
  const advice = problems > 0 ? '; `tonhouse verify --repair` builds again what is missing' : '';
  return `${lines.join('\n')}\n${range}: ${problems} problems${advice}\n`;
}
