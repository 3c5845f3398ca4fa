import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeWithData } from '../helpers/shared-data.ts';
import { headRound } from './replay/head-round.ts';
import { killPlan } from './replay/kill-plan.ts';
import { killedRound } from './replay/killed-round.ts';
import { simulateReplays } from './replay/simulate-replays.ts';

/** Short runs of the simulation of replays; the long one is `npm run test:replay`. */
const PATIENT = { timeout: 900_000 };

describeWithData('replays', (data) => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-replay-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('in processes that are killed with their store end as a fresh index', PATIENT, async () => {
    const plan = killPlan(3, { kills: 4, workMs: 4_000, besideHead: false });
    const round = await killedRound(plan, `archive:${join(data, 'blocks/packs')}`, folder);
    expect(round.differences).toEqual([]);
    expect(round.toChange).toBeGreaterThan(0);
    expect(round.killed.length).toBeGreaterThan(1);
  });

  it('beside a running `tonhouse up` end as a fresh index, whoever is killed', PATIENT, async () => {
    const plan = killPlan(1, { kills: 4, workMs: 4_000, besideHead: true });
    const round = await headRound(plan, folder);
    expect(round.differences).toEqual([]);
    expect(round.killed.length).toBeGreaterThan(1);
    expect(round.grown).toBeGreaterThan(0);
  });

  it.each([101, 103, 104])(
    'of the random plan %i leave tables that equal those of a fresh index',
    PATIENT,
    async (seed) => {
      const options = { seeds: 1, seed, killEvery: 0, shared: data, onRound: () => {} };
      const report = await simulateReplays(options);
      expect(report.differences).toEqual([]);
      expect(report.compared).toBeGreaterThanOrEqual(1);
    },
  );
});
