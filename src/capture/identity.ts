import type { LogIdentity } from '../log/port.ts';
import { UsageError } from '../platform/errors/error-kinds.ts';
import { formatStartLts, type StartLt } from '../ton/decode/start-lts.ts';
import { toHex } from '../ton/hash/hex.ts';
import type { BlockIdExt } from './block-id.ts';
import { ForeignBlockError } from './chain/chain-errors.ts';
import { type DeclaredNetwork, KNOWN_NETWORKS } from './network-spec.ts';
import type { Source, SourceFacts, SourceState } from './source.ts';

/** A start in mid-chain: the blocks do not show their network. */
export class NetworkUndeclaredError extends UsageError {
  readonly source: string;

  constructor(source: string, firstMcSeqno: number | null, globalId: number | null) {
    super(
      `${source} begins at masterchain block ${firstMcSeqno ?? 'none'} (global_id ${globalId ?? 'unknown'}), which does not ` +
        `name its network: pass --network ${KNOWN_NETWORKS.map(({ label }) => label).join(' or ')}, ` +
        '--network LABEL=ROOTHASH:FILEHASH of the masterchain zerostate, or --state with the zerostates',
    );
    this.source = source;
  }
}

/** `ROOT:FILE`, lower-case hex: the unique id of a network. */
export function zerostateId({ rootHash, fileHash }: Pick<BlockIdExt, 'rootHash' | 'fileHash'>): string {
  return `${toHex(rootHash)}:${toHex(fileHash)}`;
}

/** The network part of a log's identity. */
export interface NetworkIdentity {
  readonly network: string;
  readonly id: string;
}

export interface NetworkEvidence {
  readonly source: Pick<Source, 'name' | 'continuity'>;
  readonly facts: Pick<SourceFacts, 'zerostate' | 'globalId' | 'firstMcSeqno'>;
  /** States given to start from. */
  readonly states: readonly SourceState[];
  readonly declared: DeclaredNetwork | null;
}

/**
 * Decides the log's network: by the zerostate that masterchain block 1 names or that is given; else as declared. Facts
 * from two sources must agree.
 *
 * @throws NetworkUndeclaredError, ForeignBlockError
 */
export function decideNetwork({ source, facts, states, declared }: NetworkEvidence): NetworkIdentity {
  if (source.continuity === 'isolated') {
    const network = declared?.label ?? 'isolated';
    return { network, id: `isolated:${network}` };
  }
  const announced = announcedZerostate(source.name, facts, states);
  const id = announced ?? declared?.id ?? null;
  if (id === null) throw new NetworkUndeclaredError(source.name, facts.firstMcSeqno, facts.globalId);
  const known = KNOWN_NETWORKS.find((network) => network.id === id);
  const expected = declared?.id ?? id;
  if (expected !== id)
    throw new ForeignBlockError(source.name, `the zerostate of ${declared?.label}`, expected, id);
  if (known && facts.globalId !== null && facts.globalId !== known.globalId)
    throw new ForeignBlockError(
      source.name,
      'global_id',
      `${known.globalId} of ${known.label}`,
      `${facts.globalId}`,
    );
  if (known && declared && declared.label !== known.label)
    throw new ForeignBlockError(source.name, 'the network', declared.label, known.label);
  return { network: known?.label ?? declared?.label ?? `net_${id.slice(0, 8)}`, id };
}

function announcedZerostate(
  source: string,
  facts: Pick<SourceFacts, 'zerostate'>,
  states: readonly SourceState[],
) {
  const byBlocks = facts.zerostate && zerostateId(facts.zerostate);
  const given = states.find(({ id }) => id.workchain === -1 && id.seqno === 0);
  const byState = given && zerostateId(given.id);
  if (byBlocks && byState && byBlocks !== byState)
    throw new ForeignBlockError(source, `the zerostate (${given?.origin})`, byState, byBlocks);
  return byBlocks ?? byState ?? null;
}

/** Settings fixed when a log is created, in addition to the network. */
export interface LogShape {
  readonly epochSize: number;
  readonly lanes: number;
}

/** Shape of a new log, if the settings name no other: 8 lanes, and ten archive groups an epoch. */
const NEW_LOG: LogShape = { epochSize: 200_000, lanes: 8 };

/** Returns the named values; where they are `auto`, those of the existing log, or the defaults for a new one. */
export function logShape(
  { epochSize, lanes }: { readonly [K in keyof LogShape]: number | 'auto' },
  recorded: LogShape | null,
): LogShape {
  const usual = recorded ?? NEW_LOG;
  return {
    epochSize: epochSize === 'auto' ? usual.epochSize : epochSize,
    lanes: lanes === 'auto' ? usual.lanes : lanes,
  };
}

/** The largest lt: for isolated blocks every earlier state is from before the start. */
const EVERY_LT = 2n ** 64n - 1n;

/** Start of a log as facts of its identity. */
export interface LogStart {
  readonly continuity: 'chain' | 'isolated';
  readonly globalId: number | null;
  /** Whether states were given to start from. */
  readonly fromStates: boolean;
  /** Start of the first step by shard, or one of every shard; null where states were given. */
  readonly startLts: readonly StartLt[] | bigint | null;
}

/**
 * The identity of a new log. `start_lt` has, by shard, the lt below which states are from before the start
 * (src/ton/decode/start-lts.ts): 0 if they are in the log.
 */
export function logIdentity(network: NetworkIdentity, shape: LogShape, start: LogStart): LogIdentity {
  const { epochSize, lanes } = shape;
  return {
    ...network,
    epochSize,
    lanes,
    facts: {
      continuity: start.continuity,
      global_id: start.globalId === null ? 'mixed' : String(start.globalId),
      start_lt: formatStartLts(startLt(start)),
    },
  };
}

function startLt({ continuity, fromStates, startLts }: LogStart): readonly StartLt[] | bigint {
  if (continuity === 'isolated') return EVERY_LT;
  if (typeof startLts === 'bigint') return startLts;
  return fromStates || !startLts?.length ? 0n : startLts;
}
