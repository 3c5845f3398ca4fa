import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { PUBLISH } from '../../../pipelines/publish.ts';
import { retryDeadLetters } from '../../engine/dead-letter-retry/retry-tables.ts';
import { retryTopics } from '../../engine/dead-letter-retry/retry-topics.ts';
import { type DeadLetter, openDeadLetters } from '../../engine/dead-letters/dead-letter-list.ts';
import { prepareStore, servedVersion } from '../../engine/versions/prepare-store.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
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
    .action(async (flags: Flags) => exit(await listLetters(flags)));
  const retry = new Command('retry')
    .description('decode the original records once more; settles what works now')
    .action(async (flags: Flags) => exit(await retryLetters(flags)));
  const exported = new Command('export')
    .description('write the bytes and the facts of open dead letters to files')
    .requiredOption('--out <DIR>', 'folder to write to')
    .action(async (flags: Flags) => exit(await exportLetters(flags)));
  command.addCommand(addSettings(list, LOG_SETTINGS).exitOverride());
  command.addCommand(addSettings(retry, RETRY_SETTINGS).exitOverride());
  command.addCommand(addSettings(exported, LOG_SETTINGS).exitOverride());
}

async function listLetters(flags: Flags): Promise<number> {
  const settings = resolveSettings(LOG_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const letters = await openDeadLetters((await openLog(settings.data, session, settings)).bus);
    const facts = letters.map(factsOf);
    if (flags.json) process.stdout.write(`${JSON.stringify(facts)}\n`);
    else {
      for (const { id, at, stage, key, code, error } of letters)
        process.stdout.write(`${id}  ${at}  ${stage}  ${key}  ${code}: ${error}\n`);
      process.stdout.write(`${letters.length} open\n`);
    }
    return EXIT.ok;
  });
}

async function retryLetters(flags: Flags): Promise<number> {
  const settings = resolveSettings(RETRY_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(log);
    const client = await openSessionStore(log.directory, settings, session);
    await prepareStore(client, identity, PROJECTIONS);
    const parts = { ...log, client, identity, owner: session.owner, log: session.log };
    let settled = 0;
    for (const projection of PROJECTIONS) {
      const version = await servedVersion(client, identity, projection);
      settled += (await retryDeadLetters({ ...parts, projection, version }, settings, session.signal))
        .settled;
    }
    const { transforming: bus } = log;
    if (bus) settled += await retryTopics({ ...parts, bus, projection: PUBLISH }, settings);
    const left = (await openDeadLetters(log.bus)).length;
    process.stdout.write(`${settled} settled, ${left} still open\n`);
    return left === 0 ? EXIT.ok : EXIT.failed;
  });
}

async function exportLetters(flags: Flags): Promise<number> {
  const settings = resolveSettings(LOG_SETTINGS, flags);
  const out = String(flags.out);
  return runSession(flags, async (session) => {
    const letters = await openDeadLetters((await openLog(settings.data, session, settings)).bus);
    mkdirSync(out, { recursive: true });
    for (const letter of letters) {
      writeFileSync(join(out, `${letter.id}.bin`), letter.record.value);
      writeFileSync(join(out, `${letter.id}.json`), `${JSON.stringify(factsOf(letter), null, 2)}\n`);
    }
    process.stdout.write(`${letters.length} written to ${out}\n`);
    return EXIT.ok;
  });
}

function factsOf({ id, key, tries, record }: DeadLetter) {
  return { id, key, tries, bytes: record.value.byteLength, ...record.headers };
}
