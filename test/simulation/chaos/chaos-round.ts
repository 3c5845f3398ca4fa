import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countColdParts } from '../common/cold-folder.ts';
import { dropNetwork } from '../common/drop-network.ts';
import { countDueCorrections } from '../common/due-corrections.ts';
import { unreadSteps } from '../common/look-up-files.ts';
import type { SelfEnd } from '../common/stage-process.ts';
import type { RowCounts } from '../common/store-picture.ts';
import { type ChaosPlan, FAULTS, type Fault, type FaultKind, type Victim } from './chaos-plan.ts';
import type { ChaosWorld, KnownCorpus } from './chaos-world.ts';
import { INFLICT, type Scene } from './inflict.ts';
import { type MemoryPeaks, MemoryWatch } from './memory-watch.ts';
import { RoundLog } from './round-log.ts';
import { roundPicture } from './round-picture.ts';
import { RoundStages } from './round-stages.ts';

/** A difference between a disturbed and an undisturbed index. */
export interface ChaosDifference {
  readonly round: number;
  /** Name of the plan: for `seed N`, `--round-seed N` does it again. */
  readonly plan: string;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
  /** Folder in which the output of the stages is kept. */
  readonly folder: string;
}

export interface RoundResult {
  readonly faults: readonly FaultKind[];
  readonly differences: readonly ChaosDifference[];
  readonly rows: RowCounts;
  readonly blocksAgain: number;
  /** Parts in the cold folder at the end. */
  readonly coldParts: number;
  readonly selfEnds: readonly SelfEnd[];
  readonly memory: MemoryPeaks;
}

export interface ChaosRound {
  readonly round: number;
  readonly plan: ChaosPlan;
  readonly world: ChaosWorld;
  readonly corpus: KnownCorpus;
  /** No fault after this (Unix time, ms); what was begun settles. */
  readonly until: number;
  readonly onFault: (kind: FaultKind) => void;
}

/** Once nothing disturbs it any more, an index that confirms nothing for so long hangs. */
const HANG_MS = 60_000;
const POLL_INTERVAL_MS = 100;
/** Creates work when none is left. */
const AGAIN: FaultKind = 'capture: blocks delivered again, in another order';

/** Indexes a corpus into a new log and new databases through the plan's faults, and compares with the truth. */
export async function chaosRound(options: ChaosRound): Promise<RoundResult> {
  const { round, plan, world, corpus } = options;
  const folder = join(world.folder, `round-${round}`);
  mkdirSync(folder, { recursive: true });
  const prefix = `test.chaos.${process.pid}.${round}`;
  const selfEnds: SelfEnd[] = [];
  const stages = new RoundStages(world, plan, corpus, prefix, folder, (end) => selfEnds.push(end));
  const memory = new MemoryWatch(function* () {
    yield* stages.processes();
    yield ['broker', world.broker.pid];
    yield ['store', world.store.pid];
  });
  world.store.proxy.delayMs = plan.storeDelayMs;
  const failing = new AbortController();
  const faults: FaultKind[] = [];
  let log: RoundLog | null = null;
  try {
    await stages.prepare();
    log = await RoundLog.open(stages.place);
    stages.start(plan);
    const scene = { world, stages, sessionMs: plan.sessionMs, signal: failing.signal };
    const readLeft = () => whatIsLeft(options, stages, log!);
    await disturb(options, scene, readLeft, faults);
    const wrong = await settle(readLeft);
    wrong.push(...(await stages.stop()));
    await stages.sealRest();
    const coldParts = await countColdParts(world.store.client);
    const { differences, rows } = await roundPicture(world, stages, log, corpus);
    for (const what of wrong) differences.push({ what, expected: 'an end', found: stages.words() });
    if (differences.length === 0) rmSync(folder, { recursive: true, force: true });
    const facts = { round, plan: plan.name, folder };
    return {
      faults,
      differences: differences.map((difference) => ({ ...facts, ...difference })),
      rows,
      blocksAgain: stages.copies,
      coldParts,
      selfEnds,
      memory: memory.stop(),
    };
  } finally {
    failing.abort();
    memory.stop();
    await stages.kill();
    await log?.remove();
    await dropNetwork(world.store.client, corpus.label);
  }
}

/** Faults until there were enough of them, or nothing is left to disturb. Resolves when all of them are over. */
async function disturb(
  { plan, until, onFault }: ChaosRound,
  scene: Scene,
  readLeft: () => Promise<string>,
  done: FaultKind[],
): Promise<void> {
  const busy = new Map<Victim, Promise<void>>();
  const begin = async (fault: Fault): Promise<void> => {
    if (!(await INFLICT[fault.kind](scene, fault))) return;
    done.push(fault.kind);
    onFault(fault.kind);
  };
  for (let begun = 0; begun < plan.faults && Date.now() < until; begun++) {
    const fault = plan.next();
    await sleep(fault.delayMs);
    const { victim } = FAULTS[fault.kind];
    await busy.get(victim);
    if (busy.size === 0 && fault.kind !== AGAIN && (await readLeft()) === '') break;
    busy.set(
      victim,
      begin(fault).finally(() => busy.delete(victim)),
    );
  }
  await Promise.all(busy.values());
}

/** Work that the stages still have to do, as text; empty if there is none. */
async function whatIsLeft(
  { world, corpus }: ChaosRound,
  stages: RoundStages,
  log: RoundLog,
): Promise<string> {
  if (!(stages.captureIsDone && (await log.isConsumed()))) return `capture, ${await log.behind()}`;
  if (!corpus.served) return '';
  const { client } = world.store;
  const due = await countDueCorrections(client, corpus.label);
  if (due > 0) return `${due} corrections`;
  const identity = await log.identity();
  const unread = stages.lookUpFolders.map((folder) => unreadSteps({ client, identity }, folder));
  return (await Promise.all(unread)).filter((steps) => steps !== '').join('; ');
}

/** Waits until everything is in the store and corrected; what hangs, if something does. */
async function settle(readLeft: () => Promise<string>): Promise<string[]> {
  let left = '';
  for (let deadline = Date.now() + HANG_MS; Date.now() < deadline; await sleep(POLL_INTERVAL_MS)) {
    const now = await readLeft();
    if (now === '') return [];
    if (now !== left) deadline = Date.now() + HANG_MS;
    left = now;
  }
  return [`nothing confirmed in ${HANG_MS} ms; left: ${left}`];
}
