import { SeededRandom } from '../../helpers/seeded-random.ts';
import type { Attack } from './attack.ts';
import { type AttackReport, runAttack } from './attack-run.ts';
import { shutDown } from './attacks/shut-down.ts';
import { ATTACKS } from './attacks.ts';
import { isFlat, type Round, roundOf } from './memory-of-rounds.ts';
import type { Observation } from './watch/watch.ts';
import { World } from './world.ts';

/**
 * Time that the honest client has the server to itself before the first attack, ms. A p99 needs hundreds of answers:
 * over 15 s, as the second longest of 149, it was 44 to 242 ms in runs of one day.
 */
const REST_MS = 60_000;
const SHORT_REST_MS = 5_000;

/**
 * The run of CI: `--short`. Each attack once, in one order. Patience: how fast this machine is says nothing about the server, so
 * only an answer that never comes, or comes much too late, fails.
 */
export const SHORT_RUN = { minutes: 0.01, seed: 7, timeFactor: 10, isShort: true } as const;

export interface AbusePlan {
  /** Rounds are begun until so many minutes have passed; every attack is run at least once. */
  readonly minutes: number;
  /** Chooses the order and the values. */
  readonly seed: number;
  /** Only attacks whose name contains one of these. */
  readonly only?: readonly string[];
  /** Folder of the data directories and the server's logs, which then stay; else they are temporary. */
  readonly folder?: string;
  /** Factor for the bounds of stalls, answers and recovery. Default 1. */
  readonly timeFactor?: number;
  /** Attacks that mostly wait wait for a shorter time, and those marked `isLong` are left out. Default false. */
  readonly isShort?: boolean;
  readonly onRest?: (seen: Observation) => void;
  readonly onReport: (report: AttackReport) => void;
}

export interface AbuseResult {
  /** The honest client without attacks, before the first one. */
  readonly rest: Observation;
  readonly reports: readonly AttackReport[];
  readonly passed: number;
  readonly failed: number;
  /** Resident memory at rest, of each whole round, and after the last attack, MB. */
  readonly memoryMb: { readonly first: number; readonly rounds: readonly number[]; readonly last: number };
  /** True if memory no longer grows from round to round (one of the checks); null for too few rounds. */
  readonly isFlat: boolean | null;
}

/** Attacks a running server by every way of ATTACKS, in a random order, then asks it to stop amid an attack. */
export async function simulateAbuse(plan: AbusePlan): Promise<AbuseResult> {
  const { onReport, timeFactor = 1, isShort = false } = plan;
  const isChosen = ({ name }: { readonly name: string }) =>
    plan.only === undefined || plan.only.some((part) => name.includes(part));
  const random = new SeededRandom(plan.seed);
  const chosen = ATTACKS.filter((attack) => isChosen(attack) && !(isShort && attack.isLong));
  const deadline = Date.now() + plan.minutes * 60_000;
  const reports: AttackReport[] = [];
  const world = await World.open(random, plan.folder);
  const rounds: Round[] = [];
  try {
    const rest = await world.rest(isShort ? SHORT_REST_MS : REST_MS);
    plan.onRest?.(rest);
    const add = (report: AttackReport) => {
      reports.push(report);
      onReport(report);
    };
    for (let round = 0; chosen.length > 0 && (round === 0 || Date.now() < deadline); round++) {
      const begun = reports.length;
      for (const attack of shuffled(chosen, random)) {
        if (round > 0 && Date.now() > deadline) break;
        const report = await runAttack(world, attack, { timeFactor, isShort });
        add(report);
        if (!report.isLost) continue;
        await world.begin();
        // Memory restarts with the server.
        rounds.length = 0;
      }
      const whole = reports.slice(begun);
      if (whole.length === chosen.length) rounds.push(roundOf(whole));
    }
    const last = (await world.watch.take()).serverMb;
    if (isChosen(shutDown)) add(await shutDown.run(world));
    const flat = isFlat(rounds);
    const failed = reports.filter(({ problems }) => problems.length > 0).length + (flat === false ? 1 : 0);
    const checks = reports.length + (flat === null ? 0 : 1);
    const memoryMb = { first: rest.serverMb, rounds: rounds.map(({ mb }) => mb), last };
    return { rest, reports, passed: checks - failed, failed, memoryMb, isFlat: flat };
  } finally {
    await world.close();
  }
}

function shuffled(attacks: readonly Attack[], random: SeededRandom): Attack[] {
  const left = [...attacks];
  return attacks.map(() => left.splice(random.below(left.length), 1)[0]!);
}
