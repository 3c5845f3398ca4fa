import type { Command } from 'commander';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { captureMetrics } from '../../capture/capture-metrics.ts';
import { type CaptureResult, runCapture } from '../../capture/capture-stage.ts';
import { checkLoggedStates, type LoggedStates } from '../../capture/logged-states.ts';
import { statesInLog } from '../../engine/replay/replay-inputs.ts';
import { getControl, openLocalnetControl } from '../../localnet/local-chain.ts';
import type { LogIdentity } from '../../log/port.ts';
import { waitForWriter } from '../../log/wait-for-writer.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { type OpenLog, openLog } from '../compose/data-directory.ts';
import { showMetrics } from '../compose/metrics.ts';
import { isEndless } from '../compose/open-source.ts';
import { openStart, type SourceSettings } from '../compose/source-start.ts';
import { readStartInput } from '../compose/start-input.ts';
import { EXIT } from '../exit-codes.ts';
import { runService, runSession, type Session } from '../session.ts';
import { LOCALNET_SETTINGS, LOG_SETTINGS, METRICS_SETTINGS, START_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

const CAPTURE_SETTINGS = [
  ...LOG_SETTINGS,
  ...START_SETTINGS,
  'follow',
  'sessionMs',
  ...METRICS_SETTINGS,
  ...LOCALNET_SETTINGS,
] as const;

/** `tonhouse capture SOURCE`: only this stage. Ends with a finite source; prints what this run appended. */
export function captureCommand(command: Command, exit: (code: number) => void): void {
  command
    .argument('<SOURCE>', 'archive:PATH, files:PATH, liteserver or localnet')
    .action(async (source: string, flags: Record<string, unknown>) => exit(await capture(source, flags)));
  addSettings(command, CAPTURE_SETTINGS);
}

type CaptureSettings = SourceSettings & { readonly sessionMs: number };

async function capture(source: string, flags: Record<string, unknown>): Promise<number> {
  const settings = { ...resolveSettings(CAPTURE_SETTINGS, flags), source };
  // For a source without an end, a stop is the ordinary end.
  const run = isEndless(source, settings.follow) ? runService : runSession;
  const code = await run(flags, async (session) => {
    const input = await readStartInput(settings.data, settings, session);
    const log = await openLog(settings.data, session, settings);
    await showMetrics(log.bus, settings, session);
    const { start, identity } = await openStart(log, settings, session, input);
    await checkLoggedStates(withStates(log, identity), input.states, session.log);
    const control = getControl(start.source);
    if (control) await openLocalnetControl(control, log.directory, session);
    await waitForWriter(log.bus, { topic: RAW_BLOCKS, sessionMs: settings.sessionMs }, session);
    session.log.info({ network: identity.network, source }, 'capturing');
    const result = await captureAll(start, settings, session);
    printAnswer(`${JSON.stringify(summary(result))}\n`);
    if (start.source.finite) session.signal.throwIfAborted();
    return result.deadLetters === 0 ? EXIT.ok : EXIT.failed;
  });
  return code ?? EXIT.ok;
}

function withStates({ bus }: OpenLog, identity: LogIdentity): LoggedStates {
  const projection = { reads: RAW_BLOCKS };
  return { bus, identity, statesAt: (mcSeqno) => statesInLog({ bus, identity, projection }, mcSeqno) };
}

async function captureAll(
  start: Awaited<ReturnType<typeof openStart>>['start'],
  { sessionMs }: CaptureSettings,
  { owner, signal, log, metrics }: Session,
): Promise<CaptureResult> {
  const captured = captureMetrics(metrics);
  const progress = createProgress('captured blocks');
  try {
    return await runCapture({
      ...start,
      owner,
      signal,
      sessionMs,
      log,
      onProgress(done) {
        captured(done);
        const { blocks, totalBlocks, mcSeqno } = done;
        progress.update(blocks, Math.max(totalBlocks ?? 0, blocks), `masterchain ${mcSeqno}`);
      },
    });
  } finally {
    progress.stop();
  }
}

function summary({ firstMcSeqno, lastMcSeqno, blocks, deadLetters, network, resumedFrom }: CaptureResult) {
  return {
    network,
    resumed_from: resumedFrom,
    first_mc_seqno: firstMcSeqno,
    last_mc_seqno: lastMcSeqno,
    blocks,
    dead_letters: deadLetters,
  };
}
