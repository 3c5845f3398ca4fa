import { IdentityMismatchError } from '../log/errors.ts';
import type { Bus, LogIdentity, LogWriter } from '../log/port.ts';
import type { AvroCodec } from '../platform/avro/avro-codec.ts';
import { SettingError } from '../platform/config/setting.ts';
import { DataError } from '../platform/errors/error-kinds.ts';
import { readShardHashes } from '../ton/decode/block-header.ts';
import { formatStartLts, readStartLts, type StartLt } from '../ton/decode/start-lts.ts';
import { isMasterchain } from './block-id.ts';
import { ForeignBlockError } from './chain/chain-errors.ts';
import { decideNetwork, type LogShape, logIdentity, zerostateId } from './identity.ts';
import { checkLogged, readLoggedIds } from './isolated/below-tail.ts';
import { readTip } from './log-tail.ts';
import { type DeclaredNetwork, parseNetwork } from './network-spec.ts';
import type { ChainTip, Source, SourceBlock, SourceFacts, SourceState, Step } from './source.ts';
import { distinctStates, StartStatesError, startFromStates } from './states.ts';

export interface StartOptions {
  readonly source: Source;
  readonly bus: Bus;
  readonly codec: AvroCodec;
  /** Value of `--network`, if given. */
  readonly network?: string | undefined;
  readonly identity: LogShape;
  /** Start of the index that a range will be joined to, as `formatStartLts` writes it. Default: that of the source. */
  readonly startLt?: string | undefined;
  /** States given in addition to the source. */
  readonly states?: readonly SourceState[] | undefined;
  readonly signal: AbortSignal;
}

/** Steps to append, and the tip of the log before them. */
export interface Start {
  readonly steps: AsyncIterator<Step>;
  /** The position of the log's last step, or null for an empty log. */
  readonly tail: number | null;
}

/** A source of a chain without a masterchain block: there is no step in it. */
export class EmptySourceError extends DataError {
  readonly source: string;

  constructor(source: string, { blocks, ignored }: SourceFacts) {
    super(
      `${source} has no masterchain block (${blocks ?? 0} other blocks, ${ignored.length} files passed over): ` +
        'unrelated blocks can be taken with --isolated',
    );
    this.source = source;
  }
}

/**
 * Fixes the identity of a new log, and compares an existing one with the source and the options. A writer requires an
 * identity.
 *
 * @throws EmptySourceError, IdentityMismatchError, ForeignBlockError, NetworkUndeclaredError, NetworkSpecError,
 * StartStatesError
 */
export async function establishLog(options: StartOptions, facts: SourceFacts): Promise<LogIdentity> {
  const { bus, source, identity } = options;
  if (source.continuity === 'chain' && facts.firstMcSeqno === null)
    throw new EmptySourceError(source.name, facts);
  const declared = options.network === undefined ? null : parseNetwork(options.network);
  const recorded = await bus.identity();
  if (recorded) {
    checkRecorded(recorded, declared, options, facts);
    return recorded;
  }
  const states = startStates(options, facts);
  const network = decideNetwork({ source, facts, states, declared });
  if (source.continuity === 'chain' && source.finite && states.length > 0)
    await checkStartStates(options, states, facts);
  const wanted = logIdentity(network, identity, {
    continuity: source.continuity,
    globalId: facts.globalId ?? states[0]?.globalId ?? null,
    fromStates: states.length > 0,
    startLts: states.length > 0 ? null : (givenStart(options) ?? (await startLts(source, options.signal))),
  });
  // An interrupted source gave incomplete facts, and the identity is permanent.
  options.signal.throwIfAborted();
  await bus.establish(wanted);
  return wanted;
}

/**
 * Checks that the source continues from the states: a log's start is permanent.
 * @throws StartStatesError, and errors of the source's first step
 */
async function checkStartStates(
  { source, signal }: StartOptions,
  states: readonly SourceState[],
  { firstMcSeqno, lastMcSeqno }: SourceFacts,
): Promise<void> {
  const { tip } = startFromStates(states);
  for await (const _step of source.steps(tip, signal)) return;
  signal.throwIfAborted();
  const origins = states.filter(({ id }) => isMasterchain(id)).map(({ origin }) => origin);
  throw new StartStatesError(
    `the masterchain state is that of block ${tip.mcSeqno} (${origins.join()}), and nothing in ${source.name} comes ` +
      `after it: it has masterchain blocks ${firstMcSeqno} to ${lastMcSeqno}`,
  );
}

/** The steps after the log's end; in an empty log, the start states first. */
export async function planStart(
  options: StartOptions,
  facts: SourceFacts,
  writer: LogWriter,
): Promise<Start> {
  const { source, bus, codec, signal } = options;
  const tail = await writer.tail();
  if (source.continuity === 'isolated') {
    const steps = isolatedSteps(source, startStates(options, facts), signal);
    if (!tail) return { steps, tail: null };
    const logged = await readLoggedIds(bus);
    return {
      steps: behind(steps, tail.position, (step) => checkLogged(step, logged, tail.position)),
      tail: tail.position,
    };
  }
  if (tail) return { steps: iterate(source, await readTip(bus, codec, tail), signal), tail: tail.position };
  const states = startStates(options, facts);
  if (states.length === 0) return { steps: iterate(source, null, signal), tail: null };
  const { step, tip } = startFromStates(states);
  return { steps: prepend(step, iterate(source, tip, signal)), tail: null };
}

/** States given and found in the source; each once. */
function startStates({ states = [] }: StartOptions, facts: SourceFacts): SourceState[] {
  return distinctStates([...states, ...facts.states]);
}

function checkRecorded(
  recorded: LogIdentity,
  declared: DeclaredNetwork | null,
  { source, identity, startLt, states = [] }: StartOptions,
  facts: SourceFacts,
): void {
  for (const field of ['epochSize', 'lanes'] as const) {
    if (identity[field] !== recorded[field])
      throw new IdentityMismatchError(field, String(recorded[field]), String(identity[field]));
  }
  const continuity = recorded.facts.continuity ?? 'chain';
  if (continuity !== source.continuity)
    throw new IdentityMismatchError('facts.continuity', continuity, source.continuity);
  if (declared && declared.label !== recorded.network)
    throw new IdentityMismatchError('network', recorded.network, declared.label);
  const start = givenStart({ startLt });
  if (start !== null && formatStartLts(start) !== recorded.facts.start_lt)
    throw new IdentityMismatchError('facts.start_lt', recorded.facts.start_lt ?? '0', formatStartLts(start));
  if (continuity === 'isolated') return;
  if (declared?.id && declared.id !== recorded.id)
    throw new IdentityMismatchError('id', recorded.id, declared.id);
  checkEvidence(recorded, source.name, facts, states);
}

/** Checks that the source has the log's network: by the zerostate if the source knows it, else by global_id. */
function checkEvidence(
  recorded: LogIdentity,
  source: string,
  { zerostate, globalId }: SourceFacts,
  states: readonly SourceState[],
): void {
  const given = states.find(({ id }) => id.workchain === -1 && id.seqno === 0)?.id;
  for (const announced of [zerostate, given]) {
    if (announced && zerostateId(announced) !== recorded.id)
      throw new ForeignBlockError(source, 'the zerostate', recorded.id, zerostateId(announced));
  }
  if (globalId !== null && String(globalId) !== recorded.facts.global_id)
    throw new ForeignBlockError(source, 'global_id', recorded.facts.global_id ?? 'none', String(globalId));
}

/**
 * The start of `--start-lt`; null without it.
 * @throws SettingError
 */
function givenStart({ startLt }: Pick<StartOptions, 'startLt'>): readonly StartLt[] | bigint | null {
  if (startLt === undefined) return null;
  try {
    return readStartLts(startLt);
  } catch (cause) {
    const allowed = 'a number, or WORKCHAIN:SHARD=LT and more, as `tonhouse status` shows it';
    throw new SettingError('--start-lt', { found: startLt, allowed, origin: 'the settings' }, { cause });
  }
}

/** Start of the source's first step in each shard. */
async function startLts(source: Source, signal: AbortSignal): Promise<StartLt[] | null> {
  if (source.continuity === 'isolated') return null;
  for await (const { blocks } of source.steps(null, signal)) return findStartLts(blocks);
  return null;
}

/** The masterchain begins with the step's block; a shard with its earliest block there, or after its named top. */
function findStartLts(blocks: readonly SourceBlock[]): StartLt[] {
  const masterchain = blocks.find(({ id }) => id.workchain === -1);
  const tops = masterchain ? readShardHashes(masterchain.boc) : [];
  const first = new Map<string, StartLt>();
  for (const { id, header } of blocks) {
    const key = `${id.workchain}:${id.shard}`;
    const known = first.get(key);
    if (!known || header.startLt < known.lt)
      first.set(key, { workchain: id.workchain, shard: id.shard, lt: header.startLt });
  }
  for (const { workchain, shard, endLt } of tops) {
    const key = `${workchain}:${shard}`;
    if (!first.has(key)) first.set(key, { workchain, shard, lt: endLt });
  }
  return [...first.values()];
}

function iterate(source: Source, tip: ChainTip | null, signal: AbortSignal): AsyncIterator<Step> {
  return source.steps(tip, signal)[Symbol.asyncIterator]();
}

async function* prepend(step: Step, rest: AsyncIterator<Step>): AsyncGenerator<Step> {
  yield step;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Steps at or below `position` are handed to `check` and left out; what they have of bad entries stays. */
async function* behind(
  steps: AsyncIterator<Step>,
  position: number,
  check: (step: Step) => void,
): AsyncGenerator<Step> {
  for await (const step of { [Symbol.asyncIterator]: () => steps }) {
    if (step.mcSeqno > position) yield step;
    else {
      check(step);
      if (step.bad?.length) yield { ...step, states: [], blocks: [] };
    }
  }
}

/** The source's steps, with given states in the steps of their masterchain seqno. */
async function* isolatedSteps(
  source: Source,
  states: readonly SourceState[],
  signal: AbortSignal,
): AsyncGenerator<Step> {
  let rest = states.toSorted((a, b) => a.mcSeqno - b.mcSeqno);
  const upTo = (mcSeqno: number) => {
    const taken = rest.filter((state) => state.mcSeqno < mcSeqno);
    rest = rest.filter((state) => state.mcSeqno >= mcSeqno);
    return [...Map.groupBy(taken, (state) => state.mcSeqno)];
  };
  for await (const step of source.steps(null, signal)) {
    for (const [mcSeqno, here] of upTo(step.mcSeqno))
      yield { mcSeqno, states: here, blocks: [], isolated: true };
    const here = rest.filter((state) => state.mcSeqno === step.mcSeqno);
    rest = rest.filter((state) => !here.includes(state));
    yield { ...step, states: here };
  }
  for (const [mcSeqno, here] of upTo(Number.POSITIVE_INFINITY))
    yield { mcSeqno, states: here, blocks: [], isolated: true };
}
