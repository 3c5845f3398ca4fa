/**
 * `node head-child.ts OPTIONS` (JSON): `tonhouse up` with a source that emits generated blocks at mainnet's pace. Sends
 * its parent the number and time of every step.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { openArchive } from '../../src/capture/archive/archive-source.ts';
import { readGivenStates } from '../../src/capture/given-states.ts';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import { serveAndIndex } from '../../src/cli/compose/serve-and-index.ts';
import { openServedStore } from '../../src/cli/compose/store.ts';
import { runService, type Session } from '../../src/cli/session.ts';
import { INDEX_SETTINGS, LOCALNET_SETTINGS, SERVE_SETTINGS } from '../../src/cli/setting-groups.ts';
import { ZEROSTATE_FILES } from '../../src/localnet/generate/generate-packs.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import type { HandedOut, HeadOptions } from './head-process.ts';
import { pacedSource } from './paced-source.ts';

const SETTINGS = ['idleMs', ...INDEX_SETTINGS, ...SERVE_SETTINGS, ...LOCALNET_SETTINGS] as const;
const FLAGS = { port: '0', logFormat: 'json' };

const options = JSON.parse(process.argv[2] ?? '') as HeadOptions;

async function follow({ packs, data, stepMs, flags }: HeadOptions, session: Session): Promise<void> {
  const settings = { ...resolveSettings(SETTINGS, { ...FLAGS, ...flags }), source: 'paced' };
  const onStep = (mcSeqno: number) => process.send?.({ mcSeqno, at: Date.now() } satisfies HandedOut);
  const source = pacedSource(await openArchive(packs, []), { stepMs, onStep });
  const states = await readGivenStates(ZEROSTATE_FILES.map((name) => join(packs, name)));
  const log = await openLog(data, session);
  const store = await openServedStore(log.directory, settings, session);
  const input = { source, states };
  await serveAndIndex({ log, ...store, input }, settings, session, { onCapture() {}, onDecode() {} });
  if (!session.signal.aborted) await once(session.signal, 'abort');
}

await runService(FLAGS, (session) => follow(options, session));
