import { setTimeout as sleep } from 'node:timers/promises';
import type { SupervisedStage } from '../common/stage-process.ts';
import { GO_ON, STOP } from '../common/stop-messages.ts';
import type { Fault, FaultKind } from './chaos-plan.ts';
import type { ChaosWorld } from './chaos-world.ts';
import { deliverAgain } from './deliver-again.ts';
import type { RoundStages } from './round-stages.ts';
import type { ProxyMode } from './store-proxy.ts';

export interface Scene {
  readonly world: ChaosWorld;
  readonly stages: RoundStages;
  readonly sessionMs: number;
  /** Aborted when the round fails: waits end. */
  readonly signal: AbortSignal;
}

/** Causes a fault and ends it; false if it was not possible. */
type Inflict = (scene: Scene, fault: Fault) => Promise<boolean>;

/** A member is gone, or comes, every second; so many times. */
const STORM_CHANGES = 4;
const STORM_MS = 1_000;
const SLOW_MS = 150;
/** A member of a group that has just begun gets its lanes after seconds. */
const COMES_TO_INSERT_MS = 20_000;
/** A broker without room notices when it writes. */
const FULL_DISK_MS = 3_000;

function during(mode: ProxyMode): Inflict {
  return async ({ world }, { lastMs }) => {
    world.store.proxy.set(mode);
    await sleep(lastMs);
    world.store.proxy.set('open');
    return true;
  };
}

async function slow({ world }: Scene, { lastMs }: Fault): Promise<boolean> {
  const { proxy } = world.store;
  proxy.delayMs += SLOW_MS;
  await sleep(lastMs);
  proxy.delayMs -= SLOW_MS;
  return true;
}

async function pauseCapture({ stages, sessionMs }: Scene): Promise<boolean> {
  const { capture } = stages;
  if (!capture.signal('SIGSTOP')) return false;
  try {
    await sleep(sessionMs);
    const standby = stages.addCapture();
    await sleep(sessionMs * 0.7);
    stages.onlyCapture(standby);
  } finally {
    capture.signal('SIGCONT');
  }
  return true;
}

async function storm({ stages }: Scene): Promise<boolean> {
  for (let change = 0; change < STORM_CHANGES; change++) {
    const guest = stages.addDecoder();
    await sleep(STORM_MS);
    await stages.dismiss(guest, change % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
  }
  return true;
}

async function fillDisk({ world }: Scene): Promise<boolean> {
  const { broker, disk } = world;
  if (!disk.canFill) return false;
  disk.fill();
  const until = Date.now() + FULL_DISK_MS;
  while (broker.pid !== null && Date.now() < until) await sleep(50);
  disk.free();
  // Kafka gives a log directory up for good at its first failed write: with its only one it ends, or must be ended.
  await broker.kill();
  await broker.start();
  return true;
}

/** Silent for longer than a session: its lanes are another's when it wakes. */
async function pauseStage(stage: SupervisedStage, sessionMs: number): Promise<boolean> {
  const paused = stage.signal('SIGSTOP');
  await sleep(sessionMs * 1.3);
  stage.signal('SIGCONT');
  return paused;
}

/**
 * Stopped exactly there, beyond its session, while another owner takes its lane, completes the batch and continues. It
 * is not known which process will have work: all are prepared, and the first that reaches an insert stops.
 */
async function stopBeforeInsert(
  among: readonly SupervisedStage[],
  { sessionMs, signal }: Scene,
): Promise<boolean> {
  const told = among.filter((stage) => stage.send(STOP));
  const deadline = Date.now() + COMES_TO_INSERT_MS;
  const stopped = () => told.filter((stage) => stage.isStopped);
  while (stopped().length === 0 && Date.now() < deadline && !signal.aborted) await sleep(5);
  for (const stage of told) if (!stage.isStopped) stage.send(GO_ON);
  const isStopped = stopped().length > 0;
  if (isStopped) await sleep(sessionMs * 2);
  for (const stage of told) stage.signal('SIGCONT');
  return isStopped;
}

export const INFLICT: Readonly<Record<FaultKind, Inflict>> = {
  'capture: kill -9': async ({ stages }) => stages.capture.signal('SIGKILL'),
  'capture: paused beyond its session, another takes over': pauseCapture,
  'capture: blocks delivered again, in another order': deliverAgain,
  'decode: kill -9': async ({ stages }, { choice }) => stages.decoder(choice).signal('SIGKILL'),
  'decode: told to stop': async ({ stages }, { choice }) => stages.decoder(choice).signal('SIGTERM'),
  'decode: paused beyond its session': async ({ stages, sessionMs }, { choice }) =>
    pauseStage(stages.decoder(choice), sessionMs),
  'decode: stopped between its journal entry and its insert, beyond its session': async (scene) =>
    stopBeforeInsert(scene.stages.decoders, scene),
  'decode: members join and leave every second': storm,
  'publish: kill -9': async ({ stages }, { choice }) => stages.publisher(choice).signal('SIGKILL'),
  'publish: told to stop': async ({ stages }, { choice }) => stages.publisher(choice).signal('SIGTERM'),
  'publish: paused beyond its session': async ({ stages, sessionMs }, { choice }) =>
    pauseStage(stages.publisher(choice), sessionMs),
  'serve: kill -9': async ({ stages }, { choice }) => stages.server(choice)?.signal('SIGKILL') ?? false,
  'serve: told to stop': async ({ stages }, { choice }) => stages.server(choice)?.signal('SIGTERM') ?? false,
  'serve: paused beyond its session': async ({ stages, sessionMs }, { choice }) => {
    const server = stages.server(choice);
    return server !== undefined && pauseStage(server, sessionMs);
  },
  'serve: stopped between its journal entry and its insert, beyond its session': async (scene) =>
    stopBeforeInsert(scene.stages.servers, scene),
  'seal: kill -9': async ({ stages }) => stages.sealer?.signal('SIGKILL') ?? false,
  'seal: paused': async ({ stages, sessionMs }) =>
    stages.sealer !== null && pauseStage(stages.sealer, sessionMs),
  'broker: kill -9': async ({ world }, { lastMs }) => {
    await world.broker.kill();
    await sleep(lastMs / 4);
    await world.broker.start();
    return true;
  },
  'broker: paused': async ({ world }, { lastMs }) => {
    world.broker.pause();
    await sleep(lastMs);
    world.broker.resume();
    return true;
  },
  'broker: disk full': fillDisk,
  'store: kill -9': async ({ world }, { lastMs }) => {
    await world.store.kill();
    await sleep(lastMs / 4);
    await world.store.startAgain();
    return true;
  },
  'store: paused': async ({ world }, { lastMs }) => {
    world.store.pause();
    await sleep(lastMs);
    world.store.resume();
    return true;
  },
  'network to the store: cut': during('cut'),
  'network to the store: held back': during('held'),
  'network to the store: answers lost': during('deaf'),
  'network to the store: half open': during('half-open'),
  'network to the store: slow': slow,
};
