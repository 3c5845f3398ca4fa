import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { PUBLISH } from '../../../pipelines/publish.ts';
import type { DecodedChunk } from '../../../src/engine/decoding/chunk.ts';
import { LocalDecoder } from '../../../src/engine/decoding/local-decoder.ts';
import type { KafkaBusOptions } from '../../../src/log/kafka/kafka-options.ts';
import type { Bus, LogIdentity, NewStep } from '../../../src/log/port.ts';
import { PUBLISHED } from '../../../src/projections/publish/published.ts';
import { createDecoder, type KernelDecoderOptions } from '../../../src/projections/records/kernel-decoder.ts';
import type { BaseColumns } from '../../../src/ton/columns/base-columns.ts';
import type { ChainBlock } from '../../helpers/chain-blocks.ts';
import { type ReadRecord, readCommitted } from '../../helpers/kafka-reader.ts';
import { columnsOf, rawBlockRecord } from '../../helpers/raw-block-records.ts';
import type { RunningMain } from '../../helpers/run-main.ts';

export const LANES = 4;

/** Small epochs: each lane is several transactions. */
export const publishEnvironment = ({ brokers, prefix }: KafkaBusOptions): Record<string, string> => ({
  TONHOUSE_KAFKA: brokers.join(','),
  TONHOUSE_KAFKA_PREFIX: prefix,
  TONHOUSE_EPOCH_SIZE: '5',
  TONHOUSE_LANES: String(LANES),
  TONHOUSE_SESSION_MS: '3000',
  TONHOUSE_DECODE_WORKERS: '0',
});

/** The steps of a chain's first masterchain blocks, for a log with the network of the helpers' records. */
export function stepsOf(
  blocks: readonly ChainBlock[],
  last: number,
  { epochSize, lanes }: Pick<LogIdentity, 'epochSize' | 'lanes'>,
): NewStep[] {
  return Array.from({ length: last }, (_, index) => {
    const position = index + 1;
    const epoch = Math.floor(position / epochSize);
    const records = blocks
      .filter(({ meta }) => meta.mcSeqno === position)
      .sort((a, b) => b.meta.workchain - a.meta.workchain || a.meta.seqno - b.meta.seqno)
      .map(({ bytes, meta }) => ({
        ...rawBlockRecord(bytes, meta),
        headers: { kind: 'block', root_hash: Buffer.from(meta.rootHash).toString('hex') },
      }));
    return { position, epoch, lane: epoch % lanes, records };
  });
}

/** The whole log, decoded. */
async function decodeLog(bus: Bus): Promise<BaseColumns> {
  const identity = await bus.identity();
  if (!identity) throw new Error('there is no log');
  const decoder = new LocalDecoder(
    await createDecoder(BASE.decoder.buildOptions(identity, { verifyLevel: 'tx' }) as KernelDecoderOptions),
  );
  const chunks: DecodedChunk[] = [];
  for (const { lane, first, next } of await bus.bounds(PUBLISH.reads)) {
    for (let at = first; at < next; ) {
      const records = await bus.read(PUBLISH.reads, lane, at, { records: 1_000, bytes: 1 << 24 });
      if (records.length === 0) break;
      chunks.push(await decoder.decode(records));
      at = (records.at(-1)?.offset ?? at) + 1;
    }
  }
  return columnsOf(chunks);
}

/** Checks that every record of the log is in its topic once, with its rows. */
export async function expectOnce(
  bus: Bus,
  options: KafkaBusOptions,
): Promise<{ readonly columns: BaseColumns; readonly records: ReadonlyMap<string, readonly ReadRecord[]> }> {
  const columns = await decodeLog(bus);
  const found = new Map<string, readonly ReadRecord[]>();
  for (const { topic, table } of PUBLISHED) {
    const records = await readCommitted(options, topic, LANES);
    expect(records.length, topic).toBe(columns.tables[table].rows);
    for (const name of ['tonhouse.id', 'tonhouse.source'])
      expect(new Set(records.map(({ headers }) => headers[name])).size, `${topic}, ${name}`).toBe(
        records.length,
      );
    expect(records.every(({ key, headers }) => headers['tonhouse.id'] === key)).toBe(true);
    found.set(topic, records);
  }
  return { columns, records: found };
}

export const isPublished = async (bus: Bus): Promise<boolean> =>
  (await bus.lag()).every(({ committed, end }) => committed === end);

/** The process that an owner's name in the log is of: `host:pid:random`. */
export const pidOf = (owner: string | null): number => Number(owner?.split(':').at(-2));

interface Member {
  readonly child: { readonly pid?: number | undefined };
}

/** True if each of these processes has a lane. Then each has handlers of signals, too. */
export async function allHaveLanes(bus: Bus, members: readonly Member[]): Promise<boolean> {
  const owners = (await bus.lag()).map(({ owner }) => pidOf(owner));
  return members.every(({ child }) => owners.includes(Number(child.pid)));
}

export async function until(
  what: string,
  look: () => Promise<boolean>,
  running: readonly RunningMain[],
): Promise<void> {
  for (const deadline = Date.now() + 180_000; !(await look()); await sleep(20))
    if (Date.now() > deadline)
      throw new Error(
        `${what}: not within three minutes\n${running.map(({ text }) => text.stderr).join('\n')}`,
      );
}
