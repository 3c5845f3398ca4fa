import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { encodeNativeBlock } from '../../platform/clickhouse/native-format.ts';
import { type ChunkDecoder, isFailure } from '../../stages/decode/chunk.ts';
import { BaseColumns } from '../../ton/columns/base-columns.ts';
import { appendParts } from '../../ton/kernel/native-parts.ts';
import type { DeadLetter } from './dead-letter-list.ts';

/** A block's name, as keys of the log have it, in terms of a table. */
const KEY = `concat('(', toString(workchain), ',', lower(hex(shard)), ',', toString(seqno), ')')`;

/**
 * Blocks that could not be decoded before are not among those that were linked: the ones that can be now are added.
 * May be done twice.
 */
export async function writeLetterBlocks(
  client: StoreClient,
  database: string,
  letters: readonly DeadLetter[],
  decoder: ChunkDecoder,
): Promise<void> {
  for (const { key, record } of letters) {
    const position = Number(record.headers.position);
    if (await hasBlock(client, database, key, position)) continue;
    const chunk = await decoder.decode([{ key, position, value: record.value }]);
    const columns = new BaseColumns();
    for (const parts of chunk.parts) appendParts(columns, parts);
    chunk.release();
    if (chunk.outcomes.some(isFailure) || columns.tables.raw_blocks.rows === 0) continue;
    await client.insertNative(`${database}.raw_blocks`, encodeNativeBlock(columns.tables.raw_blocks), {
      route: 'replay/letters',
    });
  }
}

async function hasBlock(
  client: StoreClient,
  database: string,
  key: string,
  position: number,
): Promise<boolean> {
  const { rows } = await client.queryRows(
    `SELECT 1 FROM ${database}.raw_blocks WHERE mc_seqno = {position:UInt32} AND ${KEY} = {key:String} LIMIT 1`,
    { route: 'replay/letters', params: { position, key } },
  );
  return rows.length > 0;
}

/** Letters whose block a version has. */
export async function settledLetters(
  client: StoreClient,
  database: string,
  letters: readonly DeadLetter[],
): Promise<readonly DeadLetter[]> {
  const settled: DeadLetter[] = [];
  for (const letter of letters)
    if (await hasBlock(client, database, letter.key, Number(letter.record.headers.position)))
      settled.push(letter);
  return settled;
}
