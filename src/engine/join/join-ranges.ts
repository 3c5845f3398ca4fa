import { type LogWriter, type SealingBus, toOffset } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { EngineParts } from '../engine-parts.ts';
import { PROJECT } from '../project-files.ts';
import { type PositionRange, splitByEpoch, subtractRanges } from '../ranges/position-ranges.ts';
import { logStoredStep, passLogged } from '../repair/rebuild-log.ts';
import { getFencesTable } from '../sink/fence.ts';
import { readRepairs } from '../sink/repairs.ts';
import type { SinkContext } from '../sink/sink-context.ts';
import { readIslands } from '../versions/confirmed-islands.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { getDatabase, getGroup } from '../versions/version-names.ts';
import { readVersionRecords } from '../versions/version-records.ts';
import { RangeCopy } from './copy-range.ts';
import {
  checkIdentity,
  JoinRefusedError,
  planRange,
  type RangeIndex,
  type ReadBorder,
} from './joined-range.ts';
import { checkSealed, joinSealedFiles } from './sealed-files.ts';

const GROUP = 'join/';
/** Rows of these are copied at once. */
const CHUNK_BYTES = 64 << 20;
const CHUNK_TRANSACTIONS = 100_000;

export interface JoinWatch {
  readonly signal: AbortSignal;
  /** Steps copied of a range, and all of it. */
  onSteps(done: number, total: number, name: string): void;
  /** Sealed files copied of a range, and all of them. */
  onFiles(done: number, total: number, name: string): void;
}

/** What is joined. */
export interface Join {
  readonly ranges: readonly RangeIndex[];
  readonly readBorder: ReadBorder;
  /** Writer of the index's log: nothing else appends to it meanwhile. */
  readonly writer: LogWriter;
  /** Takes the sealed files; null for a log that has none. */
  readonly sealing: SealingBus | null;
}

/** Result for one range. */
export interface JoinedRange extends PositionRange {
  readonly directory: string;
  /** `joined` now, or `present` before. */
  readonly state: 'joined' | 'present';
  /** Sealed files that the log got now. */
  readonly sealed_files: number;
}

interface ServedStore {
  readonly client: StoreClient;
  readonly database: string;
  readonly version: number;
}

/**
 * Joins indexes of later parts of the chain into this one: sealed files are copied, then rows of `base` with their confirmed
 * ranges, and the newest step is appended to the log. All ranges are checked before the first is copied. An interrupted join
 * continues: confirmed steps are not copied again. Projections in chain order are computed afterwards, by their lanes.
 * @throws JoinRefusedError
 */
export async function joinRanges(
  parts: EngineParts,
  { ranges, readBorder, writer, sealing }: Join,
  watch: JoinWatch,
): Promise<readonly JoinedRange[]> {
  const { signal } = watch;
  const into = await servedStore(parts, parts.client);
  // Statements of a join that was cut off.
  await into.client.killAndWait(`${into.database}:${GROUP}`, { route: 'join/kill', signal });
  const plans = await planJoin(parts, ranges, into, readBorder);
  for (const { range, from, plan } of plans)
    if (plan === 'join') await checkSealed(parts, { range, from, sealing }, signal);
  const files = new Map<RangeIndex, number>();
  for (const { range, from, span, plan } of plans) {
    if (plan === 'present') continue;
    if (sealing) files.set(range, await joinSealedFiles(parts, { range, into, sealing }, watch));
    await copyRange(parts, { range, from, into, span }, watch);
  }
  const newest = plans.findLast(({ plan }) => plan === 'join');
  if (newest) await logStoredStep(parts, writer, newest.span.last, signal);
  else await passLogged(parts);
  return plans.map(({ range, span, plan }) => ({
    directory: range.name,
    ...span,
    state: plan === 'join' ? 'joined' : 'present',
    sealed_files: files.get(range) ?? 0,
  }));
}

async function servedStore(
  { identity, projection }: Pick<EngineParts, 'identity' | 'projection'>,
  client: StoreClient,
): Promise<ServedStore> {
  const version = await servedVersion(client, identity, projection);
  return { client, version, database: getDatabase(identity, projection, version) };
}

/** Checks all ranges, in the order of the chain. */
async function planJoin(
  parts: EngineParts,
  ranges: readonly RangeIndex[],
  into: ServedStore,
  readBorder: ReadBorder,
) {
  const { bus, identity, projection } = parts;
  const own = await readIslands(into.client, into.database);
  const logged = await bus.highest(projection.reads);
  const first = own[0]?.first ?? 0;
  if (own[0] === undefined || own[0].last < logged || (await isBehind(parts, into.version)))
    throw new JoinRefusedError('any range', 'this index is not complete: run it to the end of its source');
  const read = await Promise.all(
    ranges.map(async (range) => {
      checkIdentity(identity, range);
      const from = await servedStore(parts, range.client);
      await checkVersion(parts, into, { range, from });
      return { range, from, islands: await readIslands(from.client, from.database) };
    }),
  );
  read.sort((a, b) => (a.islands[0]?.first ?? 0) - (b.islands[0]?.first ?? 0));
  const plans = [];
  let last = { position: logged, store: into, name: 'this index' };
  for (const { range, from, islands } of read) {
    const plan = planRange(range, islands, { first, last: last.position });
    const span = islands[0] as PositionRange;
    const before = plan === 'join' ? last : { position: span.first - 1, store: into, name: 'this index' };
    await checkBorder(readBorder, range.name, before, { from, position: span.first });
    if (plan === 'join') last = { position: span.last, store: from, name: range.name };
    plans.push({ range, from, span, plan });
  }
  return plans;
}

/** True if the group of the version has not confirmed everything that is logged. */
async function isBehind({ bus, projection }: EngineParts, version: number): Promise<boolean> {
  const group = getGroup(projection, version);
  return (await bus.lag()).some((lag) => lag.group === group && lag.committed < lag.end);
}

/** @throws JoinRefusedError: other code or other tables have made the rows */
async function checkVersion(
  { identity, projection }: EngineParts,
  into: ServedStore,
  { range, from }: { readonly range: RangeIndex; readonly from: ServedStore },
): Promise<void> {
  const [own, other] = await Promise.all(
    [into, from].map(async ({ client, version }) =>
      (await readVersionRecords(client, identity.network, projection.name)).find(
        (one) => one.version === version,
      ),
    ),
  );
  if (own?.codeVersion !== other?.codeVersion)
    throw new JoinRefusedError(
      range.name,
      `version ${other?.codeVersion ?? 'unknown'} of ${projection.name} made its rows, and version ${own?.codeVersion ?? 'unknown'} those of this index`,
    );
  if (JSON.stringify(own?.schema?.tables) !== JSON.stringify(other?.schema?.tables))
    throw new JoinRefusedError(
      range.name,
      `its tables of ${projection.name} have other columns than those of this index`,
    );
}

/** @throws JoinRefusedError: the first step does not continue the one before it */
async function checkBorder(
  readBorder: ReadBorder,
  name: string,
  before: { readonly position: number; readonly store: ServedStore; readonly name: string },
  { from, position }: { readonly from: ServedStore; readonly position: number },
): Promise<void> {
  const [left, right] = [await readBorder(before.store, before.position), await readBorder(from, position)];
  if (left && left.rootHash === right?.previous) return;
  throw new JoinRefusedError(
    name,
    `its masterchain block ${position} follows ${right?.previous ?? 'nothing'}, and block ${before.position} of ${before.name} is ${left?.rootHash ?? 'absent'}: another chain`,
  );
}

async function copyRange(
  parts: EngineParts,
  {
    range,
    from,
    into,
    span,
  }: {
    readonly range: RangeIndex;
    readonly from: ServedStore;
    readonly into: ServedStore;
    readonly span: PositionRange;
  },
  { signal, onSteps }: Pick<JoinWatch, 'signal' | 'onSteps'>,
): Promise<void> {
  const { identity, projection } = parts;
  const copy = await RangeCopy.open(buildContext(parts, from), buildContext(parts, into));
  const left = subtractRanges([span], await readIslands(into.client, into.database));
  const total = span.last - span.first + 1;
  let done = total - left.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  for (const [epoch, pieces] of splitByEpoch(left, identity.epochSize))
    for (const piece of pieces)
      for (const { first, last } of chunks(piece, await projection.input.steps(from, piece))) {
        signal.throwIfAborted();
        const offsets = { from: toOffset(first), next: toOffset(last + 1) };
        const lane = epoch % identity.lanes;
        const entry = {
          lane,
          epoch,
          ...offsets,
          firstPosition: first,
          lastPosition: last,
          attempt: 1,
          expected: {},
        };
        await copy.copy(entry, signal);
        done += last - first + 1;
        onSteps(done, total, range.name);
      }
}

function buildContext({ identity, projection, owner, log }: EngineParts, store: ServedStore): SinkContext {
  return {
    client: store.client,
    database: store.database,
    fences: getFencesTable(identity.network),
    // Names of an earlier run may be remembered by the server.
    group: `${GROUP}${owner}`,
    definition: projection.sink,
    repairs: readRepairs(projection.sink, PROJECT),
    concurrency: 1,
    log: (message, facts) => log.warn(facts, message),
  };
}

/** Cuts a range after so many bytes or transactions. */
function* chunks(
  { first, last }: PositionRange,
  steps: Awaited<ReturnType<EngineParts['projection']['input']['steps']>>,
): Generator<PositionRange> {
  let begin = first;
  let size = { bytes: 0, transactions: 0 };
  for (const { position, bytes, transactions } of steps) {
    size = { bytes: size.bytes + bytes, transactions: size.transactions + transactions };
    if (position < last && (size.bytes >= CHUNK_BYTES || size.transactions >= CHUNK_TRANSACTIONS)) {
      yield { first: begin, last: position };
      begin = position + 1;
      size = { bytes: 0, transactions: 0 };
    }
  }
  yield { first: begin, last };
}
