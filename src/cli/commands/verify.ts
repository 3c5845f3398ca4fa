import type { Command } from 'commander';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import type { CheckResult } from '../../stages/verify/check.ts';
import { runVerify } from '../../stages/verify/verify-stage.ts';
import { EXIT } from '../exit-codes.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';
import { openLog, requireIdentity } from '../wiring/data-directory.ts';
import { readIndexFacts } from '../wiring/index-facts.ts';
import { prepareStore, servedDatabase } from '../wiring/projection.ts';
import { runSession } from '../wiring/session.ts';
import { openSessionStore } from '../wiring/store.ts';
import { readVisible } from '../wiring/visible-span.ts';

/** `tonhouse verify`: proves the store from itself; exit code 1 where a check finds a problem. */
export function verifyCommand(command: Command, exit: (code: number) => void): void {
  command
    .option('--json', 'print one JSON object')
    .action(async (flags: Record<string, unknown>) => exit(await verify(flags)));
  addSettings(command, STORE_SETTINGS);
}

async function verify(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(STORE_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(log);
    const client = await openSessionStore(log.directory, settings, session);
    await prepareStore(client, identity);
    const database = await servedDatabase(client, identity);
    const visible = await readVisible(client, database, identity.facts.continuity);
    const progress = createProgress('checks');
    const started = performance.now();
    const results = visible
      ? await runVerify({
          client,
          database,
          visible,
          look: () => readVisible(client, database, identity.facts.continuity),
          facts: await readIndexFacts(client, database, identity),
          onProgress: (done, total, check) => progress.update(done, total, check),
          signal: session.signal,
        })
      : [];
    progress.stop();
    const problems = results.reduce((sum, result) => sum + result.problems, 0);
    const report = {
      network: identity.network,
      visible,
      problems,
      seconds: (performance.now() - started) / 1000,
      checks: results,
    };
    process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : table(results, visible, problems));
    return problems === 0 && visible ? EXIT.ok : EXIT.failed;
  });
}

function table(
  results: readonly CheckResult[],
  visible: { first: number; last: number } | null,
  problems: number,
): string {
  if (!visible) return 'nothing is indexed\n';
  const lines = results.flatMap(({ name, law, problems: found, samples, skipped }) => [
    `${skipped ? 'skip' : found === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(26)} ${skipped ?? (found === 0 ? law : `${found} problems`)}`,
    ...samples.map((sample) => `       ${sample}`),
  ]);
  return `${lines.join('\n')}\nmasterchain ${visible.first} to ${visible.last}: ${problems} problems\n`;
}
