import { DECODE, DECODE_SINK } from '../../../pipelines/decode.ts';
import type { AvroCodec } from '../../platform/avro/avro-codec.ts';
import type { Bus, LogIdentity } from '../../platform/bus/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { readRepairs } from '../../platform/clickhouse/sink/repairs.ts';
import { createSink, type Sink } from '../../platform/clickhouse/sink/sink.ts';
import type { Log } from '../../platform/observability/log.ts';
import { ColumnsPool } from '../../stages/decode/columns-pool.ts';
import { createDeadLetterSink } from '../../stages/decode/dead-letters.ts';
import type { DecodeStageOptions } from '../../stages/decode/decode-stage.ts';
import { createRecordDecoder, type DecodeRecord } from '../../stages/decode/record-decoder.ts';
import type { StoredBlocks } from '../../stages/decode/seen-blocks.ts';
import { Turn } from '../../stages/decode/turn.ts';
import type { VerifyLevel } from '../../ton/decode/decode-block.ts';
import { parseStartLts } from '../../ton/decode/start-lts.ts';
import { Kernel } from '../../ton/kernel/kernel.ts';
import { baseDatabase, PROJECT } from './projection.ts';

export interface DecodeSettings {
  readonly verifyLevel: VerifyLevel;
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
}

/** Sets of columns in use at the same time: one is filled while others are inserted. */
const COLUMN_SETS = 3;

/** The sink of the projection `base`, for a consumer group. */
export function baseSink(parts: DecodeParts, group: string): Sink {
  return createSink({
    client: parts.client,
    database: baseDatabase(parts.identity),
    group,
    definition: DECODE_SINK,
    repairs: readRepairs(DECODE_SINK, PROJECT),
    log: (message, facts) => parts.log.warn(facts, message),
  });
}

/** The decoder of the log's records, by the facts that were fixed when the log was made. */
export async function recordDecoder(
  { codec, identity }: DecodeParts,
  verify: VerifyLevel,
): Promise<DecodeRecord> {
  const kernel = await Kernel.load();
  return createRecordDecoder(codec, identity.network, {
    decodeBlock: (bytes, meta, columns, options) => kernel.decodeBlock(bytes, meta, columns, options),
    verify,
    starts: parseStartLts(identity.facts.start_lt ?? '0'),
  });
}

/** Options of `runDecode`, all plugged in; a bench or a tool may replace single parts. */
export async function decodeOptions(
  parts: DecodeParts,
  settings: DecodeSettings,
  watch: Pick<DecodeStageOptions, 'onBatch'>,
): Promise<DecodeStageOptions> {
  const { bus, owner, log } = parts;
  const { topic, group } = DECODE;
  const { sessionMs, batchRows, batchMs } = settings;
  return {
    consumer: await bus.consumer({ topic, group, owner, sessionMs }),
    decode: await recordDecoder(parts, settings.verifyLevel),
    deadLetters: createDeadLetterSink(bus, group, topic),
    sink: baseSink(parts, group),
    pool: new ColumnsPool(COLUMN_SETS),
    turn: new Turn(),
    stored: storedBlocks(parts),
    sessionMs,
    batchRows,
    batchMs,
    onBatch: watch.onBatch,
    onNotice: (text) => log.info({ stage: group }, text),
  };
}

/** What the store holds of blocks: for recognising copies in the log. */
export function storedBlocks({ client, identity, log, signal }: DecodeParts): StoredBlocks {
  const db = baseDatabase(identity);
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
