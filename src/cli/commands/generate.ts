import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { generatePacks, ZEROSTATE_FILES } from '../../localnet/generate/generate-packs.ts';
import { genesisOptions } from '../../localnet/local-chain.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { SettingError } from '../../platform/config/setting.ts';
import { namesIn } from '../../platform/config/settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession } from '../session.ts';
import { addSettings } from '../setting-options.ts';

const GENERATE_SETTINGS = namesIn('genesis', 'logging');

/** `tonhouse generate`: an archive of a local chain under traffic or payouts. The same options write the same bytes. */
export function generateCommand(command: Command, exit: (code: number) => void): void {
  command
    .requiredOption('--transactions <N>', 'minimum number of transactions')
    .requiredOption('--out <DIR>', 'new or empty folder for the packages and zerostates')
    .option('--synthetic', 'only plain payouts, which need no TVM and are several times as fast')
    .action(async (flags: Record<string, unknown>) => exit(await generate(flags)));
  addSettings(command, GENERATE_SETTINGS);
}

async function generate(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(GENERATE_SETTINGS, flags);
  const transactions = Number(flags.transactions);
  if (!/^[1-9]\d{0,9}$/.test(String(flags.transactions)))
    throw new SettingError('--transactions', {
      found: String(flags.transactions),
      allowed: 'a whole number from 1',
      origin: 'command line',
    });
  const directory = resolve(String(flags.out));
  return runSession(flags, async ({ signal, log }) => {
    const progress = createProgress('generated transactions');
    const started = performance.now();
    const made = await generatePacks({
      directory,
      transactions,
      ...genesisOptions(settings),
      synthetic: flags.synthetic === true,
      signal,
      onProgress: (at) =>
        progress.update(at.transactions, Math.max(at.transactions, transactions), `block ${at.mcSeqno}`),
    }).finally(() => progress.stop());
    const seconds = (performance.now() - started) / 1000;
    const states = ZEROSTATE_FILES.map((name) => join(directory, name));
    printAnswer(
      `${JSON.stringify({
        transactions: made.transactions,
        blocks: made.blocks,
        last_mc_seqno: made.mcSeqno,
        bytes: made.bytes,
        seconds: Math.round(seconds * 10) / 10,
        transactions_per_second: Math.round(made.transactions / seconds),
        source: `archive:${directory}`,
        states,
      })}\n`,
    );
    if (!signal.aborted) return EXIT.ok;
    log.info({}, 'stopped before the end; what is written is complete');
    return EXIT.stopped;
  });
}
