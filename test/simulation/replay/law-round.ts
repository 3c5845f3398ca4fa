import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../../../pipelines/base.ts';
import { openLog } from '../../../src/cli/compose/data-directory.ts';
import type { TableProjection } from '../../../src/engine/projection/projection.ts';
import { HeadFollower } from '../../../src/engine/replay/head.ts';
import { pruneVersions } from '../../../src/engine/replay/prune.ts';
import { runRollback } from '../../../src/engine/replay/run.ts';
import { earlierVersion, presentVersions } from '../../../src/engine/replay/switch.ts';
import { headEpoch, trimStoredEpochs } from '../../../src/engine/retention/trim-log.ts';
import { servedVersion } from '../../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { Bus, NewStep } from '../../../src/log/port.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { SeededRandom } from '../../contract/log/seeded-random.ts';
import { appendSteps } from '../../helpers/copy-log.ts';
import { cutOffReplay } from '../../helpers/cut-off-replay.ts';
import {
  indexVersion,
  NEWER_CODE,
  OLDER_CODE,
  olderIn,
  openReplayStore,
  REPLAY_SETTINGS,
  type ReplayStore,
} from '../../helpers/replay-store.ts';
import { dropNetwork } from '../common/drop-network.ts';
import { storePicture } from '../common/store-picture.ts';
import { DecodedBy } from './decoded-by.ts';
import type { CodeName, LawPlan, PlannedReplay } from './law-plan.ts';
import type { ReplayCorpus } from './replay-corpora.ts';
import { pictureDifferences } from './served-picture.ts';

export interface LawTally {
  readonly replays: number;
  readonly partial: number;
  readonly cuts: number;
  /** Steps that came to the head while a version was built. */
  readonly grown: number;
  /** Epochs that were freed in the log. */
  readonly trimmed: number;
  readonly rollbacks: number;
  /** Versions whose tables were compared with a fresh index. */
  readonly compared: number;
}

export interface LawResult extends LawTally {
  readonly differences: readonly string[];
}

const CODES: Readonly<Record<CodeName, TableProjection>> = { older: OLDER_CODE, newer: NEWER_CODE };
/** Numbers of versions that are indexed afresh, to compare with, begin here. */
const FRESH = 900;
const LAST = 2 ** 32 - 1;

/** Executes the plan on a store with its own network; every version is compared with a fresh index at every step. */
export async function lawRound(plan: LawPlan, corpus: ReplayCorpus, client: StoreClient): Promise<LawResult> {
  const { epochSize, lanes, firstCode } = plan;
  const options = { ...corpus, client, epochSize, lanes, code: CODES[firstCode] };
  const store = await openReplayStore({ ...options, steps: 0 });
  try {
    return await new LawRound(plan, store, client).run();
  } finally {
    await store.close();
    await dropNetwork(client, store.identity.network);
  }
}

class LawRound {
  readonly #plan: LawPlan;
  readonly #store: ReplayStore;
  readonly #client: StoreClient;
  readonly #random: SeededRandom;
  readonly #versions = new Map<number, { by: DecodedBy; code: CodeName }>();
  readonly #left: NewStep[];
  readonly #differences: string[] = [];
  readonly #tally = { replays: 0, partial: 0, cuts: 0, grown: 0, trimmed: 0, rollbacks: 0, compared: 0 };
  /** A log with the same steps, from which nothing is ever freed. */
  #kept: Bus | null = null;
  #last = 0;

  constructor(plan: LawPlan, store: ReplayStore, client: StoreClient) {
    this.#plan = plan;
    this.#store = store;
    this.#client = client;
    this.#random = new SeededRandom(plan.seed + 1);
    this.#left = [...store.rest];
  }

  async run(): Promise<LawResult> {
    const { firstCode, startsWith, replays } = this.#plan;
    const session = this.#store.session('kept');
    const { bus } = await openLog(join(this.#store.directory, 'kept'), session);
    await bus.establish(this.#store.identity);
    this.#kept = bus;
    await this.#grow(Math.max(1, Math.round(this.#left.length * startsWith)), 0);
    await indexVersion(this.#store, 1, CODES[firstCode]);
    this.#versions.set(1, {
      by: new DecodedBy().with(firstCode, [{ first: 0, last: LAST }]),
      code: firstCode,
    });
    for (const planned of replays) await this.#replay(planned);
    return { ...this.#tally, differences: this.#differences };
  }

  /** Steps that come to the head, one by one. */
  async #grow(steps: number, pauseMs: number): Promise<void> {
    const next = this.#left.splice(0, steps);
    if (!this.#kept) throw new Error('the round has not begun');
    await appendSteps(this.#kept, next, 20);
    await appendSteps(this.#store.parts.bus, next, pauseMs === 0 ? 20 : 1, () => sleep(pauseMs));
    this.#last = next.at(-1)?.position ?? this.#last;
  }

  async #replay(planned: PlannedReplay): Promise<void> {
    const { code, cuts, grows, part, trims, afterwards } = planned;
    const store = this.#store;
    const served = await servedVersion(this.#client, store.identity, BASE);
    const before = this.#versions.get(served);
    if (!before) throw new Error(`nothing is known of version ${served}`);
    if (trims) await this.#trim();
    const head = await this.#follow(served, before.code);
    const growing = this.#grow(grows, this.#random.between(10, 60));
    const range = part && this.#rangeOf(part);
    const settings = { ...REPLAY_SETTINGS, lanes: planned.lanes, batchRows: planned.batchRows };
    const parts = { ...store.parts, projection: CODES[code] };
    const replayed = cutOffReplay(
      store,
      parts,
      range ?? { from: null, to: null },
      this.#random,
      cuts,
      settings,
    );
    const { outcome, cutOff } = await replayed.finally(() => Promise.allSettled([growing]));
    await growing;
    await head.catchUp(store.session('head').signal);
    await head.close();
    const { history } = outcome.plan.detail;
    const behind = { first: (history.at(-1)?.last ?? -1) + 1, last: LAST };
    const by = before.by.with(code, [...outcome.plan.ranges, behind]);
    this.#versions.set(outcome.plan.next, { by, code });
    this.#tally.replays++;
    this.#tally.cuts += cutOff;
    this.#tally.grown += grows;
    if (range) this.#tally.partial++;
    await this.#compare(outcome.plan.next);
    if (afterwards === 'prune') await this.#prune();
    if (afterwards === 'rollback') await this.#rollBack();
  }

  #rangeOf({ from, to }: { readonly from: number; readonly to: number }) {
    return { from: Math.round(this.#last * from), to: Math.round(this.#last * to) };
  }

  async #trim(): Promise<void> {
    const { parts } = this.#store;
    const head = await headEpoch(parts);
    if (head === null) return;
    const freed = await trimStoredEpochs(parts, head, this.#store.session('trim').signal);
    this.#tally.trimmed += freed.length;
  }

  /** Follows the head with the version that is served, as the server does. */
  #follow(version: number, code: CodeName): Promise<HeadFollower> {
    const { signal } = this.#store.session('head');
    const parts = { ...this.#store.parts, owner: `head-${version}`, projection: CODES[code] };
    return HeadFollower.start(parts, version, REPLAY_SETTINGS, signal);
  }

  async #rollBack(): Promise<void> {
    const { identity, parts } = this.#store;
    const version = await earlierVersion({ client: this.#client, identity, projection: BASE });
    const known = this.#versions.get(version);
    if (!known) throw new Error(`nothing is known of version ${version}`);
    const own = { ...parts, owner: 'back', projection: CODES[known.code] };
    await runRollback(own, REPLAY_SETTINGS, version, this.#store.session('back'));
    this.#tally.rollbacks++;
    await this.#compare(version);
  }

  async #prune(): Promise<void> {
    const { identity, parts } = this.#store;
    const session = this.#store.session('prune');
    await pruneVersions({ ...parts, owner: 'prune' }, REPLAY_SETTINGS.sessionMs, session);
    const present = (await presentVersions({ client: this.#client, identity, projection: BASE })).map(
      ({ version }) => version,
    );
    const served = await servedVersion(this.#client, identity, BASE);
    if (present.join() !== String(served)) this.#differ(`after prune there are ${present.join(', ')}`);
    for (const version of this.#versions.keys()) if (version !== served) this.#versions.delete(version);
  }

  /** Compares the served version, brought up to the head, with an index that decodes each position as it should be. */
  async #compare(version: number): Promise<void> {
    const { identity, parts } = this.#store;
    const known = this.#versions.get(version);
    const served = await servedVersion(this.#client, identity, BASE);
    if (served !== version || !known) return this.#differ(`version ${served} is served, not ${version}`);
    const head = await this.#follow(version, known.code);
    await head.catchUp(this.#store.session('head').signal);
    await head.close();
    if (!this.#kept) throw new Error('the round has not begun');
    const fresh = FRESH + this.#tally.compared++;
    const kept = { ...this.#store, parts: { ...parts, bus: this.#kept } };
    const database = await indexVersion(kept, fresh, olderIn(...known.by.older));
    const expected = await storePicture(this.#client, database);
    const found = await storePicture(this.#client, getDatabase(identity, BASE, version));
    for (const text of pictureDifferences(expected, found)) this.#differ(`version ${version}: ${text}`);
    await this.#client.command(`DROP DATABASE ${database} SYNC`, { route: 'simulation' });
  }

  #differ(text: string): void {
    this.#differences.push(`after ${this.#tally.replays} replays: ${text}`);
  }
}
