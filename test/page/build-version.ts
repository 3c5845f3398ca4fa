/**
 * Builds a version of `base` that differs from the served one, and does not serve it: `node test/page/build-version.ts DATA`. Its
 * decoder is the one of test/fixtures/older-decoder.ts, which reads messages without opcodes.
 */
import { openReplayParts } from '../../src/cli/compose/replay-parts.ts';
import { runSession } from '../../src/cli/session.ts';
import { REPLAY_SETTINGS } from '../../src/cli/setting-groups.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { OLDER_CODE, quietRun } from '../helpers/replay-store.ts';

const flags = { data: process.argv[2], logLevel: 'warn' };
const settings = resolveSettings(REPLAY_SETTINGS, flags);
await runSession(flags, async (session) => {
  const parts = await openReplayParts(settings, session, OLDER_CODE);
  await runReplay(quietRun(parts, session), { range: { from: null, to: null }, accept: async () => false });
});
