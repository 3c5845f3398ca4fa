import { Command } from 'commander';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import type { SealedRange } from '../../log/port.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession } from '../session.ts';
import { LOG_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

type Flags = Record<string, unknown>;

/** The log is on Kafka, whose brokers store and compress it. */
class NoSealingError extends ConflictError {
  constructor() {
    super('only the log of a data directory is sealed: a log on Kafka is compressed by its brokers');
  }
}

/** `tonhouse log seal`: seals the finished epochs of the log. */
export function logCommand(command: Command, exit: (code: number) => void): void {
  const seal = new Command('seal')
    .description('seal the finished epochs that all stages have passed into compressed files')
    .option('--json', 'print one JSON object')
    .action(async (flags: Flags) => exit(await sealLog(flags)));
  command.addCommand(addSettings(seal, LOG_SETTINGS).exitOverride());
}

async function sealLog(flags: Flags): Promise<number> {
  const settings = resolveSettings(LOG_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    await requireIdentity(log);
    if (!log.sealing) throw new NoSealingError();
    const before = await log.bus.size();
    const sealed = await log.sealing.seal(RAW_BLOCKS, session.signal);
    const report = { sealed, bytes_before: before, bytes_after: await log.bus.size() };
    printAnswer(flags.json ? `${JSON.stringify(report)}\n` : text(sealed, report));
    session.signal.throwIfAborted();
    return EXIT.ok;
  });
}

function text(
  sealed: readonly SealedRange[],
  { bytes_before, bytes_after }: { readonly bytes_before: number; readonly bytes_after: number },
): string {
  const lines = sealed.map(
    ({ epoch, first, last, records, bytes }) =>
      `epoch ${epoch}  masterchain ${first} to ${last}  ${records} records  ${megabytes(bytes)}`,
  );
  const total = `${sealed.length} epochs sealed; log ${megabytes(bytes_before)}, now ${megabytes(bytes_after)}`;
  return `${[...lines, total].join('\n')}\n`;
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
