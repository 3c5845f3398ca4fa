import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import { prepareIndex } from '../../src/cli/compose/index-run.ts';
import { openSessionStore } from '../../src/cli/compose/store.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { namesIn } from '../../src/platform/config/settings.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { INDEX_SETTINGS } from '../helpers/index-settings.ts';
import { OLDER_CODE, quietLog } from '../helpers/replay-store.ts';
import { runCli, startCli } from '../helpers/run-cli.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const DOCUMENT = new URL('../../docs/replay.md', import.meta.url);

/** A command of the document, and the lines that it shows of what is printed. */
interface Shown {
  readonly command: string;
  readonly lines: readonly string[];
}

function shownCommands(): readonly Shown[] {
  const blocks = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```console\n(.*?)^```/gms)];
  return blocks.flatMap(([, text = '']) =>
    text
      .split(/^\$ /m)
      .filter((part) => part.trim() !== '')
      .map((part) => {
        const [command = '', ...lines] = part.trimEnd().split('\n');
        return { command, lines };
      }),
  );
}

const SETTINGS = {
  ...INDEX_SETTINGS,
  epochSize: 40,
  lanes: 2,
  verifyLevel: 'tx',
  decodeWorkers: 0,
  batchRows: 500,
} as const;

describeWithData('docs/replay.md, command by command', (data) => {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-demo-'));
  let serving: ReturnType<typeof startCli>;

  beforeAll(async () => {
    const shutdown = new Shutdown();
    const session = {
      log: quietLog,
      shutdown,
      signal: shutdown.signal,
      owner: 'demo',
      metrics: new Metrics(),
    };
    const store = resolveSettings(namesIn('store', 's3'), { clickhouseMemoryMb: '3072' }, {});
    try {
      const log = await openLog(directory, session);
      const client = await openSessionStore(directory, store, session);
      const settings = { ...SETTINGS, source: `archive:${data}/blocks/packs`, pipelines: [OLDER_CODE] };
      await (await prepareIndex({ log, client }, settings, session)).run({ onCapture() {}, onDecode() {} });
    } finally {
      await shutdown.close(() => {});
    }
    // The server that answers keeps the store running, and must not notice anything.
    serving = startCli(['serve', '--data', directory, '--port', '0']);
    while (!/answering/.test(serving.text.stderr)) await sleep(50);
  });
  afterAll(async () => {
    serving?.child.kill('SIGTERM');
    await serving?.ended;
    rmSync(directory, { recursive: true, force: true });
  });

  it('does what it shows', async () => {
    const commands = shownCommands();
    expect(commands.length).toBeGreaterThanOrEqual(8);
    for (const { command, lines } of commands) {
      expect(command).toMatch(/^npx tonhouse /);
      const [, , ...args] = command.replaceAll('DATA', directory).split(' ');
      const { stdout, stderr, code } = await runCli(args);
      for (const line of lines) expect(stdout, `${command}\n${stderr}`).toContain(line);
      expect(code, `${command}\n${stderr}`).toBe(args[0] === 'diff' ? 1 : 0);
    }
    expect(serving.text.stderr).not.toMatch(/warn|error/i);
  }, 600_000);

  it('shows the differences of the version that is served', async () => {
    const [, url = ''] = /v3=(http:\/\/[^/]+)/.exec(serving.text.stderr) ?? [];
    const readReplays = async () => {
      const answer = await fetch(`${url}/healthz`);
      return ((await answer.json()) as { replays?: readonly unknown[] }).replays;
    };
    const columns = [{ column: 'opcode', rows: 198 }];
    await expect.poll(readReplays, { timeout: 120_000 }).toMatchObject([
      {
        projection: 'base',
        version: 4,
        is_served: true,
        differences: {
          from: 1,
          tables: [{ table: 'messages', added: 0, removed: 0, altered: 198, columns }],
        },
      },
    ]);
  }, 600_000);
});
