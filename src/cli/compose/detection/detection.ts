import { CONTRACTS } from '../../../../pipelines/contracts.ts';
import { DETECTION_RECORDS } from '../../../../pipelines/detection-records.ts';
import { ACTIONS, DETECTIONS, LAKE } from '../../../../pipelines/projections.ts';
import type { ServeContext } from '../../../api/serve-context.ts';
import { followCorrections } from '../../../engine/corrections/follow-corrections.ts';
import type { EngineParts } from '../../../engine/engine-parts.ts';
import { FeedBell, followFeed } from '../../../engine/feed/follow-feed.ts';
import { followServed } from '../../../engine/head/follow-served.ts';
import type { TableProjection } from '../../../engine/projection/projection.ts';
import type { ConfirmedSteps } from '../../../engine/versions/served-version.ts';
import { poll } from '../../../platform/retry/poll.ts';
import { DetectionFeed, type DetectionSources } from '../../../projections/detections/detection-feed.ts';
import type { Session } from '../../session.ts';
import { MethodDetection } from './method-detection.ts';

/** Pause before detection starts again after a failure, and interval at which missing tables are looked up, ms. */
const RETRY_MS = 2_000;
const LANE = { decodeWorkers: 0, verifyLevel: 'none', batchRows: 20_000, batchMs: 500 } as const;

/** The log and the store that detection reads and writes. */
export interface DetectionParts
  extends Pick<EngineParts, 'bus' | 'codec' | 'client' | 'identity' | 'pointers'> {
  readonly context: ServeContext;
  /** A server that is silent for this long is followed by another, ms. */
  readonly sessionMs: number;
  /** Called when steps of the projection that it writes are confirmed. */
  readonly onConfirmed: (projection: string, steps: ConfirmedSteps) => void;
}

/**
 * Runs detection in the background until the session ends: feeds the topic `detections`, writes its projection, and
 * corrects actions of tokens that were detected late. Of several servers, one does each; the others wait. Returns the
 * function to call with steps that this process confirms.
 */
export function startDetection(parts: DetectionParts, session: Session): DetectionParts['onConfirmed'] {
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const methods = new MethodDetection(parts.context);
  const bell = new FeedBell();
  const scope = { session, signal };
  const running = Promise.all([
    repeat('detection of contracts', () => runDetection(parts, methods, bell, scope), scope),
    runCorrections(parts, scope),
  ]);
  session.shutdown.add('detection', async () => {
    stop.abort();
    await methods.close();
    await running;
  });
  return (projection, steps) => {
    parts.onConfirmed(projection, steps);
    if (projection === CONTRACTS.name) bell.ring();
  };
}

interface Scope {
  readonly session: Session;
  readonly signal: AbortSignal;
}

/** Repeats work that failed: the store may be away, or a version was dropped. */
async function repeat(what: string, run: () => Promise<void>, { session, signal }: Scope): Promise<void> {
  const attempt = async () => {
    await run().catch((error: unknown) => {
      if (!signal.aborted) session.log.warn({ error, what }, 'work in the background failed and is retried');
    });
    return null;
  };
  await poll(attempt, { everyMs: RETRY_MS, signal, isBackground: true }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

async function runDetection(
  { context, onConfirmed, sessionMs, ...parts }: DetectionParts,
  methods: MethodDetection,
  bell: FeedBell,
  { session, signal }: Scope,
): Promise<void> {
  const { bus, client } = parts;
  const { contracts, detections } = context.vector();
  if (!context.chain || contracts.state !== 'served' || detections.state === 'off') return;
  const { detectToken, detectContract, findCells } = methods;
  const feed = new DetectionFeed({
    client,
    network: context.network.label,
    sources: () => findSources(context),
    tail: () => bus.highest(DETECTION_RECORDS),
    detectToken,
    detectContract,
    findCells,
  });
  const engine = { ...parts, owner: session.owner, log: session.log };
  const step = {
    topic: DETECTION_RECORDS,
    begins: 'first',
    records: feed.records,
    begin: feed.begin,
  } as const;
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  const onBatch = (
    {
      lane,
      firstPosition: first,
      lastPosition: last,
    }: { lane: number; firstPosition: number; lastPosition: number },
    version: number,
  ) => onConfirmed(DETECTIONS.name, { version, lane, range: { first, last } });
  const works = [
    followFeed({ ...engine, projection: CONTRACTS }, step, { sessionMs, bell }, either),
    followServed({ ...engine, projection: DETECTIONS }, { ...LANE, sessionMs }, { onBatch }, either),
  ];
  try {
    await Promise.all(works);
  } finally {
    ended.abort();
    await Promise.allSettled(works);
  }
}

async function runCorrections(
  { context: _, onConfirmed: __, sessionMs, ...parts }: DetectionParts,
  { session, signal }: Scope,
): Promise<void> {
  const engine = { ...parts, owner: session.owner, log: session.log };
  const follow = (projection: TableProjection) =>
    repeat(
      `corrections of ${projection.name}`,
      () => followCorrections({ ...engine, projection }, { sessionMs }, signal),
      { session, signal },
    );
  await Promise.all([ACTIONS, LAKE].map(follow));
}

/** Databases of the served versions; null while one of them has nothing to read. */
function findSources({ vector }: ServeContext): DetectionSources | null {
  const { base, contracts, detections } = vector();
  if (base.state !== 'served' || contracts.state !== 'served' || detections.state === 'off') return null;
  const { first } = contracts.visible;
  return { states: base.database, steps: base.visible, first, detections: detections.database };
}
