import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DECODE, DECODE_SINK } from '../../../pipelines/decode.ts';
import type { AvroCodec } from '../../platform/avro/avro-codec.ts';
import type { Bus, LogIdentity } from '../../platform/bus/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { readRepairs } from '../../platform/clickhouse/sink/repairs.ts';
import { createSink, type Sink } from '../../platform/clickhouse/sink/sink.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { ChunkDecoder } from '../../stages/decode/chunk.ts';
import { ColumnsPool } from '../../stages/decode/columns-pool.ts';
import { createDeadLetterSink } from '../../stages/decode/dead-letters.ts';
import type { DecodeStageOptions } from '../../stages/decode/decode-stage.ts';
import type { DecoderModule } from '../../stages/decode/decode-worker.ts';
import type { KernelDecoderOptions } from '../../stages/decode/kernel-decoder.ts';
import { LocalDecoder } from '../../stages/decode/local-decoder.ts';
import { PooledDecoder } from '../../stages/decode/pooled-decoder.ts';
import type { StoredBlocks } from '../../stages/decode/seen-blocks.ts';
import type { VerifyLevel } from '../../ton/decode/decode-block.ts';
import { BASE_CODE, type BaseCode, FIRST_VERSION, groupOf } from './base-code.ts';
import { withLateStates } from './late-start-lts.ts';
import { baseDatabase, PROJECT } from './projection.ts';

export interface DecoderSettings {
  /** `auto`: `tx`, and `root` for isolated blocks. */
  readonly verifyLevel: VerifyLevel | 'auto';
  /** Threads that decode; 0: the caller's own. Default `auto`. */
  readonly decodeWorkers?: number | 'auto';
}

export interface DecodeSettings extends DecoderSettings {
  readonly batchRows: number;
  readonly batchMs: number;
  readonly sessionMs: number;
}

/** What the stage `decode` is plugged into. */
export interface DecodeParts {
  readonly bus: Bus;
  readonly codec: AvroCodec;
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  readonly owner: string;
  readonly log: Log;
  /** Ends look-ups that wait for a store that is away. Default: they wait. */
  readonly signal?: AbortSignal;
  /** Version of `base` that is written. Default: the first. */
  readonly version?: number;
  /** What decodes. Default: this checkout's. */
  readonly code?: BaseCode;
}

/** Sets of columns in use at the same time: one is filled while others are inserted. */
const COLUMN_SETS = 3;
const MOST_WORKERS = 4;

function databaseOf({ identity, version }: Pick<DecodeParts, 'identity' | 'version'>): string {
  return baseDatabase(identity, version);
}

/** The sink of the projection `base`, for a consumer group. */
export function baseSink(parts: DecodeParts, group: string): Sink {
  return createSink({
    client: parts.client,
    database: databaseOf(parts),
    group,
    definition: DECODE_SINK,
    repairs: readRepairs(DECODE_SINK, PROJECT),
    log: (message, facts) => parts.log.warn(facts, message),
  });
}

/** One core is left to the store; more than a few threads are faster than any store. */
export function workerCount(setting: number | 'auto' | undefined): number {
  if (typeof setting === 'number') return setting;
  return Math.max(1, Math.min(availableParallelism() - 1, MOST_WORKERS));
}

/** Blocks of a chain are proved by their neighbours too; one that stands for itself has its cells alone. */
function verifyLevelOf({ facts }: LogIdentity, setting: DecoderSettings['verifyLevel']): VerifyLevel {
  if (setting !== 'auto') return setting;
  return facts.continuity === 'isolated' ? 'root' : 'tx';
}

/** What decoding must know, by the facts that were fixed when the log was made. */
export function decoderOptions(
  identity: LogIdentity,
  verify: DecoderSettings['verifyLevel'],
): KernelDecoderOptions {
  return {
    schemas: join(PROJECT, 'schemas'),
    network: identity.network,
    verify: verifyLevelOf(identity, verify),
    startLts: identity.facts.start_lt ?? '0',
  };
}

/** The decoder of the log's records; to be closed. */
export async function recordDecoder(
  { identity, log, code = BASE_CODE }: Pick<DecodeParts, 'identity' | 'log' | 'code'>,
  { verifyLevel, decodeWorkers }: DecoderSettings,
): Promise<ChunkDecoder> {
  const own = decoderOptions(identity, verifyLevel);
  const options = code.optionsOf?.(own) ?? own;
  const onDeath = (text: string) => log.warn({ stage: DECODE.group }, text);
  const workers = workerCount(decodeWorkers);
  if (workers > 0) return PooledDecoder.start({ module: code.module, options, workers, onDeath });
  const { createDecoder } = (await import(code.module)) as DecoderModule;
  return new LocalDecoder(await createDecoder(options), onDeath);
}

/** The decoder of records whose rows go to the store: it knows which states the store has taken in. */
export async function storeDecoder(
  parts: Pick<DecodeParts, 'identity' | 'log' | 'code' | 'client'>,
  settings: DecoderSettings,
): Promise<ChunkDecoder> {
  const identity = await withLateStates(parts.client, parts.identity);
  return recordDecoder({ ...parts, identity }, settings);
}

/** Options of `runDecode`, all plugged in. `decoder`: one to use instead of the setting's; either is closed by the stage. */
export async function decodeOptions(
  parts: DecodeParts,
  settings: DecodeSettings,
  watch: Pick<DecodeStageOptions, 'onBatch'>,
  decoder?: ChunkDecoder,
): Promise<DecodeStageOptions> {
  const { bus, owner, log } = parts;
  const { topic } = DECODE;
  const group = groupOf(parts.version ?? FIRST_VERSION);
  const { sessionMs, batchRows, batchMs } = settings;
  return {
    consumer: await bus.consumer({ topic, group, owner, sessionMs }),
    decoder: decoder ?? (await storeDecoder(parts, settings)),
    deadLetters: createDeadLetterSink(bus, DECODE.group, topic),
    sink: baseSink(parts, group),
    pool: new ColumnsPool(COLUMN_SETS),
    stored: storedBlocks(parts),
    sessionMs,
    batchRows,
    batchMs,
    onBatch: watch.onBatch,
    onNotice: (text) => log.info({ stage: group }, text),
  };
}

/** What the store holds of blocks: for recognising copies in the log. */
export function storedBlocks({ client, identity, log, signal, version }: DecodeParts): StoredBlocks {
  const db = baseDatabase(identity, version);
  const route = 'decode/seen';
  const patience = {
    signal: signal ?? new AbortController().signal,
    onFailure: (error: unknown, pauseMs: number) =>
      log.warn({ error, pauseMs }, 'the store does not answer; trying again'),
  };
  const looks = lookUps(client, db, identity.epochSize, route);
  return {
    highest: (epoch, below) => patiently(() => looks.highest(epoch, below), patience),
    rootHash: (key, position) => patiently(() => looks.rootHash(key, position), patience),
  };
}

function lookUps(client: StoreClient, db: string, epochSize: number, route: string): StoredBlocks {
  return {
    highest: async (epoch, below) => {
      const first = epoch * epochSize;
      const last = Math.min(first + epochSize, below, 2 ** 32) - 1;
      const { rows } = await client.queryRows<[number, string]>(
        `SELECT max(mc_seqno), count() FROM {db:Identifier}.blocks WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}`,
        { route, params: { db, first, last: Math.max(first, last) } },
      );
      const [highest, count] = rows[0] ?? [0, '0'];
      return last < first || count === '0' ? -1 : highest;
    },
    rootHash: async (key, position) => {
      const { rows } = await client.queryRows<[string]>(
        `SELECT lower(hex(root_hash)) FROM {db:Identifier}.blocks WHERE mc_seqno = {position:UInt32}
         AND concat('(', toString(workchain), ',', lower(hex(shard)), ',', toString(seqno), ')') = {key:String}`,
        { route, params: { db, position, key } },
      );
      return rows[0]?.[0] ?? null;
    },
  };
}
