import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { fromHex } from '../../../ton/hash/hex.ts';
import { parentShard } from '../../../ton/tlb/shard-ident.ts';

const route = 'late-states';

/** A place in the chain; `shard` unsigned. */
interface Place {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
}

/** Start of an index, from its store. */
export class IndexedStart {
  /** The lowest masterchain seqno of a block. */
  readonly firstStep: number;
  /** Hashes by which the first masterchain block names the block before it. */
  readonly before: { readonly rootHash: Uint8Array; readonly fileHash: Uint8Array };
  readonly #client: StoreClient;
  readonly #database: string;

  private constructor(
    client: StoreClient,
    database: string,
    firstStep: number,
    before: IndexedStart['before'],
  ) {
    this.#client = client;
    this.#database = database;
    this.firstStep = firstStep;
    this.before = before;
  }

  /** null if no block is indexed. */
  static async read(client: StoreClient, db: string): Promise<IndexedStart | null> {
    const { rows } = await client.queryRows<[number, string, string]>(
      `SELECT mc_seqno, hex(prev_root_hash), hex(prev_file_hash) FROM {db:Identifier}.blocks
       WHERE mc_seqno = (SELECT min(mc_seqno) FROM {db:Identifier}.blocks) ORDER BY workchain LIMIT 1`,
      { route, params: { db } },
    );
    const [row] = rows;
    if (!row) return null;
    const [firstStep, rootHash, fileHash] = row;
    return new IndexedStart(client, db, firstStep, {
      rootHash: fromHex(rootHash)!,
      fileHash: fromHex(fileHash)!,
    });
  }

  /**
   * Root hash of the state before the block that follows a position; null if no such block is indexed. After a merge
   * one hash covers two states: also null.
   */
  async stateHashBehind({ workchain, shard, seqno }: Place): Promise<Uint8Array | null> {
    const rows = await this.#query<[string, boolean, string]>(
      `SELECT toString(shard), after_split, hex(state_hash_before) FROM {db:Identifier}.blocks
       WHERE workchain = {workchain:Int32} AND prev_seqno = {seqno:UInt32} AND NOT after_merge`,
      { workchain, seqno },
    );
    const behind = rows.find(([child, afterSplit]) => {
      const own = BigInt(child);
      return (afterSplit ? parentShard(own) : own) === shard;
    });
    return behind ? fromHex(behind[2]) : null;
  }

  /** Whether rows of start states carry a masterchain seqno. */
  async hasStatesAt(position: number): Promise<boolean> {
    const rows = await this.#query(
      `SELECT 1 FROM {db:Identifier}.account_states WHERE mc_seqno = {position:UInt32} AND origin = 'state' LIMIT 1`,
      { position },
    );
    return rows.length > 0;
  }

  async #query<Row extends unknown[]>(sql: string, params: Record<string, number>): Promise<readonly Row[]> {
    const options = {
      route,
      params: { db: this.#database, ...params },
      timeoutMs: 600_000,
      maxRows: 1_000_000,
    };
    return (await this.#client.queryRows<Row>(sql, options)).rows;
  }
}
