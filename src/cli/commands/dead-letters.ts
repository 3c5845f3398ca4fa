import { Command } from 'commander';
import { PROJECTIONS, TOPIC_PROJECTIONS } from '../../../pipelines/projections.ts';
import { retryTables, retryTopics } from '../../engine/dead-letter-retry/retry-projections.ts';
import { DeadLetterCount } from '../../engine/dead-letters/dead-letter-count.ts';
import { openDeadLetters } from '../../engine/dead-letters/dead-letter-list.ts';
import { getFacts, writeDeadLetters } from '../../engine/dead-letters/write-dead-letters.ts';
import { prepareBegun } from '../../engine/versions/begun-projections.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { printable } from '../../platform/observability/printable.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { openSessionStore } from '../compose/store.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession } from '../session.ts';
import { LOG_SETTINGS, STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

const RETRY_SETTINGS = [...STORE_SETTINGS, 'verifyLevel', 'decodeWorkers', 'sessionMs'] as const;

type Flags = Record<string, unknown>;

/** `tonhouse dead-letters list | retry | export`. */
export function deadLettersCommand(command: Command, exit: (code: number) => void): void {
  const list = new Command('list')
    .description('list open dead letters, oldest first')
    .option('--json', 'print one JSON array')
    .action(async (flags: Flags) => exit(await listDeadLetters(flags)));
  const retry = new Command('retry')
    .description('decode the original records again')
    .action(async (flags: Flags) => exit(await retryOpenDeadLetters(flags)));
  const exported = new Command('export')
    .description('write open dead letters to files: their bytes and errors')
    .requiredOption('--out <DIR>', 'folder to write to')
    .action(async (flags: Flags) => exit(await exportDeadLetters(flags)));
  command.addCommand(addSettings(list, LOG_SETTINGS).exitOverride());
  command.addCommand(addSettings(retry, RETRY_SETTINGS).exitOverride());
  command.addCommand(addSettings(exported, LOG_SETTINGS).exitOverride());
}

async function listDeadLetters(flags: Flags): Promise<number> {
  const settings = resolveSettings(LOG_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const deadLetters = await openDeadLetters((await openLog(settings.data, session, settings)).bus);
    const lines = deadLetters.map(
      ({ id, at, stage, key, code, error }) =>
        `${printable(`${id}  ${at}  ${stage}  ${key}  ${code}: ${error}`)}\n`,
    );
    const text = () => `${lines.join('')}${deadLetters.length} open\n`;
    printAnswer(flags.json ? `${JSON.stringify(deadLetters.map(getFacts))}\n` : text());
    return EXIT.ok;
  });
}

async function retryOpenDeadLetters(flags: Flags): Promise<number> {
  const settings = resolveSettings(RETRY_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(log);
    const client = await openSessionStore(log.directory, settings, session);
    const begun = await prepareBegun(client, identity, PROJECTIONS);
    const parts = { ...log, client, identity, owner: session.owner, log: session.log };
    const { transforming: bus } = log;
    const inTables = await retryTables(parts, begun, settings, session.signal);
    const inTopics = bus ? await retryTopics({ ...parts, bus }, TOPIC_PROJECTIONS, settings) : 0;
    const settled = inTables + inTopics;
    const left = await new DeadLetterCount(log.bus).read();
    printAnswer(`${settled} settled, ${left} still open\n`);
    return left === 0 ? EXIT.ok : EXIT.failed;
  });
}

async function exportDeadLetters(flags: Flags): Promise<number> {
  const settings = resolveSettings(LOG_SETTINGS, flags);
  const out = String(flags.out);
  return runSession(flags, async (session) => {
    const deadLetters = await openDeadLetters((await openLog(settings.data, session, settings)).bus);
    writeDeadLetters(deadLetters, out);
    printAnswer(`${deadLetters.length} written to ${printable(out)}\n`);
    return EXIT.ok;
  });
}
