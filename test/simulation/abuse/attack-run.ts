import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, AttackContext, Bounds } from './attack.ts';
import { RECOVERY_MS, USUAL_BOUNDS } from './bounds.ts';
import { callHttp } from './http-call.ts';
import { inParallel } from './in-parallel.ts';
import { exchange } from './raw-exchange.ts';
import type { AbusePlan } from './simulate-abuse.ts';
import { Tally } from './tally.ts';
import { honestCalls, wrongHonestAnswer } from './watch/honest-calls.ts';
import type { Observation } from './watch/watch.ts';
import type { World } from './world.ts';

/** Numbers of one attack, and the requirements that did not hold. */
export interface AttackReport extends Observation {
  readonly name: string;
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly logBytes: number;
  readonly problems: readonly string[];
  readonly isOutage: boolean;
  /** The server is of no use to further attacks. */
  readonly isLost: boolean;
}

/** Runs one attack against the world's server, then checks that everything that must hold does. */
export async function runAttack(
  world: World,
  attack: Attack,
  { timeFactor, isShort }: Required<Pick<AbusePlan, 'timeFactor' | 'isShort'>>,
): Promise<AttackReport> {
  const tally = new Tally();
  const { server } = world;
  const begun = performance.now();
  const logBefore = server.logBytes;
  const headBefore = await readHead(world);
  await world.watch.take();
  const ended = server.exited.then(() => 'ended' as const);
  const attacked = attack.run(contextOf(world, tally, isShort)).catch((error: unknown) => {
    tally.problem(`the attack itself failed: ${error instanceof Error ? error.stack : error}`);
  });
  const end = await Promise.race([attacked, ended]);
  const left =
    end === 'ended'
      ? [`the process ended: ${server.words.slice(-400)}`]
      : await recover(world, headBefore, timeFactor);
  for (const problem of left) tally.problem(problem);
  const seen = await world.watch.take();
  const logBytes = server.logBytes - logBefore;
  judge(attack, { ...seen, logBytes, growthMb: seen.serverMb - world.restingMb }, timeFactor, tally);
  return {
    ...seen,
    name: attack.name,
    requests: tally.requests,
    statuses: Object.fromEntries([...tally.statuses].sort()),
    seconds: Math.round((performance.now() - begun) / 1000),
    logBytes,
    problems: tally.problems,
    isOutage: attack.isOutage === true,
    isLost: left.length > 0,
  };
}

function contextOf(world: World, tally: Tally, isShort: boolean): AttackContext {
  const { server, attackRoute: route, addresses, accounts, contract, random } = world;
  const send: AttackContext['send'] = async (call) => {
    const outcome = await callHttp(route, call);
    tally.count(call, outcome);
    return outcome;
  };
  return {
    server,
    route,
    addresses,
    accounts,
    contract,
    random,
    isShort,
    send,
    sendAll: (calls, atOnce) => inParallel(calls, atOnce, send),
    async raw(bytes, waitMs) {
      const outcome = await exchange(route, bytes, waitMs);
      if (outcome.statuses.length === 0) tally.add(outcome.closed ? 'closed' : 'silent');
      for (const status of outcome.statuses) tally.add(status);
      return outcome;
    },
    must(holds, what) {
      if (!holds) tally.problem(what);
    },
  };
}

/** Waits until every honest call is answered rightly and the chain goes on; what is still wrong in the end. */
async function recover(world: World, headBefore: number, timeFactor: number): Promise<string[]> {
  const deadline = Date.now() + RECOVERY_MS * timeFactor;
  for (;;) {
    const wrong = await whatIsWrong(world, headBefore);
    if (wrong.length === 0 || Date.now() > deadline) return wrong.map((what) => `afterwards: ${what}`);
    await sleep(250);
  }
}

async function whatIsWrong(world: World, headBefore: number): Promise<string[]> {
  const wrong: string[] = [];
  for (const honest of honestCalls(world.seed)) {
    const { status, text, failure } = await callHttp(world.honestRoute, {
      ...honest.call,
      timeoutMs: 10_000,
    });
    const what = failure ? `${honest.name}: ${failure}` : wrongHonestAnswer(honest, status, text);
    if (what !== null) wrong.push(what);
  }
  if ((await readHead(world)) <= headBefore) wrong.push(`no block since masterchain block ${headBefore}`);
  return wrong;
}

/** The newest masterchain block in answers; 0 without an answer. */
async function readHead({ honestRoute }: World): Promise<number> {
  const { status, text } = await callHttp(honestRoute, {
    path: '/api/v3/masterchainInfo',
    timeoutMs: 10_000,
  });
  return status === 200 ? (JSON.parse(text) as { last: { seqno: number } }).last.seqno : 0;
}

/** How many times more there is to do on this machine than a server and its attacker make it do. */
function othersLoad(): number {
  return Math.max(1, loadavg()[0]! / (4 * availableParallelism()));
}

function judge(
  { bounds: own, honestMayGet }: Attack,
  { honest, stallMs, logBytes, growthMb }: Observation & Pick<Bounds, 'logBytes' | 'growthMb'>,
  timeFactor: number,
  tally: Tally,
): void {
  const bounds: Bounds = { ...USUAL_BOUNDS, ...own };
  for (const [what, times] of Object.entries(honest.wrong).filter(([text]) => !honestMayGet?.test(text)))
    tally.problem(`an honest client got ${what}${times > 1 ? ` (${times} times)` : ''}`);
  const { asked, right, p99Ms } = honest;
  if (right < asked * bounds.honestServed)
    tally.problem(`of ${asked} honest requests only ${right} were served`);
  const above = (what: string, found: number, most: number) => {
    if (found > most) tally.problem(`${what}: ${found}, at most ${most}`);
  };
  above('p99 of honest answers, ms', p99Ms, bounds.honestP99Ms * othersLoad() * timeFactor);
  above('longest stall, ms', stallMs, bounds.stallMs * timeFactor);
  above('memory beyond rest, MB', growthMb, bounds.growthMb);
  above('bytes logged', logBytes, bounds.logBytes);
}
