import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { startServing } from '../../src/api/serve-stage.ts';
import { HeadFollower } from '../../src/engine/replay/head.ts';
import { runReplay, runRollback } from '../../src/engine/replay/run.ts';
import { PointerWatch } from '../../src/engine/versions/pointer-watch.ts';
import { ANNOUNCE_MS, setPointer } from '../../src/engine/versions/projection-pointer.ts';
import { ServedVersion } from '../../src/engine/versions/served-version.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { appendSteps } from '../helpers/copy-log.ts';
import { REPLAY_SERVERS, type ReplayServers } from '../helpers/replay-servers.ts';
import {
  indexVersion,
  NEWER_CODE,
  OLDER_CODE,
  openReplayStore,
  quietLog,
  quietRun,
  REPLAY_SETTINGS,
  type ReplayStore,
} from '../helpers/replay-store.ts';
import { DEFAULT_SERVE_SETTINGS } from '../helpers/serve-settings.ts';
import { describeWithData } from '../helpers/shared-data.ts';

/** Rows of steps that are there from the start: their answers differ between the versions, and by nothing else. */
const LIST = '/api/v3/messages?limit=40&sort=asc&end_lt=2000000';

/** A few seconds on a quiet machine. */
const SLOW_MS = 600_000;

describeWithData('readers while versions are switched', (data) => {
  describe.each(REPLAY_SERVERS)('on %s', (_name, start) => {
    let servers: ReplayServers;
    let store: ReplayStore;
    let served: ServedVersion;
    let url: string;
    let close: () => Promise<void>;
    const logged: string[] = [];
    const databaseOfView = () => (served.view.state === 'off' ? null : served.view.database);

    beforeAll(async () => {
      servers = await start();
      const source = `archive:${data}/blocks/packs`;
      store = await openReplayStore({
        client: servers.client,
        source,
        epochSize: 20,
        code: OLDER_CODE,
        steps: 70,
      });
      await indexVersion(store, 1, OLDER_CODE);
      const keep = (facts: object, text: string) => logged.push(`${text} ${JSON.stringify(facts)}`);
      const log = { ...quietLog, warn: keep, error: keep };
      served = new ServedVersion(
        {
          client: servers.client,
          identity: store.identity,
          projection: BASE,
          pointers: new PointerWatch(servers.client, store.identity.network),
        },
        { ...store.session('api'), log },
      );
      await served.start();
      const api = await startServing(
        {
          client: servers.client,
          vector: () => ({
            base: served.view,
            activity: { state: 'off' },
            contracts: { state: 'off' },
            detections: { state: 'off' },
            traces: { state: 'off' },
            actions: { state: 'off' },
            lake: { state: 'off' },
          }),
          freshen: () => served.freshen(),
          network: { label: 'mainnet', testnet: false, zerostate: null, isolated: false },
          settings: { ...DEFAULT_SERVE_SETTINGS, queryTimeoutMs: 30_000 },
          log,
          health: async () => ({ deadLetters: 0 }),
        },
        { host: '127.0.0.1', port: 0 },
      );
      ({ url, close } = api);
    });
    afterAll(async () => {
      await close?.();
      await store?.close();
      await servers?.stop();
    });

    const messages = async () => {
      const answer = await fetch(`${url}${LIST}`);
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { messages: { opcode: string | null }[] }).messages;
    };

    it(
      'see one version or the other, whole, and never less of the chain than before',
      async () => {
        const old = JSON.stringify(await messages());
        const answers = new Set<string>();
        const heads: number[] = [];
        const stop = new AbortController();
        const hammer = async () => {
          while (!stop.signal.aborted) {
            answers.add(JSON.stringify(await messages()));
            // The head answered before this request: two requests may end in another order than they began.
            const before = heads.at(-1) ?? 0;
            const answer = await fetch(`${url}/api/v3/masterchainInfo`);
            expect(answer.status).toBe(200);
            const head = ((await answer.json()) as { last: { seqno: number } }).last.seqno;
            expect(head).toBeGreaterThanOrEqual(before);
            heads.push(Math.max(head, heads.at(-1) ?? 0));
            // Without a pause the readers take more processor time than the replay.
            await sleep(20);
          }
        };
        const hammering = Promise.all([hammer(), hammer()]);
        hammering.catch(() => {});
        const follower = await HeadFollower.start(
          store.parts,
          1,
          REPLAY_SETTINGS,
          store.session('head').signal,
        );
        const growing = appendSteps(store.parts.bus, store.rest, 1, () => sleep(150));
        const parts = { ...store.parts, owner: 'replay', projection: NEWER_CODE };
        const order = { range: { from: null, to: null }, accept: async () => true };
        await runReplay(quietRun(parts, store.session('replay')), order);
        await growing;
        await follower.close();
        await runRollback({ ...parts, owner: 'back' }, REPLAY_SETTINGS, 1, store.session('back'));
        await sleep(500);
        stop.abort();
        await hammering;
        const parsed = [...answers].map((text) => JSON.parse(text) as { opcode: string | null }[]);
        expect(answers.has(old)).toBe(true);
        expect(answers.size).toBe(2);
        const withOpcodes = parsed.filter((rows) => rows.some(({ opcode }) => opcode !== null));
        expect(withOpcodes).toHaveLength(1);
        const forget = (rows: object[]) => rows.map((row) => ({ ...row, opcode: null }));
        expect(forget(withOpcodes[0] ?? [])).toEqual(JSON.parse(old));
        expect(heads.at(-1)).toBe(99);
        expect(logged).toEqual([]);
      },
      SLOW_MS,
    );

    it(
      'know an announced moment beforehand: they switch at it even if the store has ended by then',
      async () => {
        expect(databaseOfView()).toBe(getDatabase(store.identity, BASE, 1));
        const target = { network: store.identity.network, projection: 'base', version: 2 };
        await setPointer(servers.client, target, ANNOUNCE_MS);
        // Late enough after their poll, too early for a poll after the moment.
        await sleep(ANNOUNCE_MS * 0.8);
        expect(databaseOfView()).toBe(getDatabase(store.identity, BASE, 1));
        // At once: a graceful stop would still answer a look.
        servers.kill();
        await expect.poll(databaseOfView, { timeout: 240_000 }).toBe(getDatabase(store.identity, BASE, 2));
      },
      SLOW_MS,
    );
  });
});
