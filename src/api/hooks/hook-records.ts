import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase, secretsDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import type { Hook, HookDeadLetter } from './hook.ts';

const route = 'serve/hooks';
const READ = { max_threads: 1 } as const;
/** Further ones are not read: each is a subscription in the memory of the server that delivers. */
const MAX_HOOKS = 1_000;
/** Dead letters that are read at a time. */
const MAX_LETTERS = 1_000;

/** Webhooks and their state in the store of a network. The client is the owner's: the reader cannot read webhooks. */
export class HookRecords {
  readonly #client: StoreClient;
  readonly #database: string;
  readonly #secrets: string;

  constructor(client: StoreClient, network: string) {
    this.#client = client;
    this.#database = metaDatabase(network);
    this.#secrets = secretsDatabase(network);
  }

  /** Every webhook that was not removed, oldest first. */
  async list(): Promise<readonly Hook[]> {
    const { rows } = await this.#client.queryRows<
      [string, string, string, string, string, boolean, number, boolean]
    >(
      `SELECT id, argMax(url, revision), argMax(secret, revision), argMax(filter, revision), argMax(start, revision),
         argMax(allows_private, revision), toUInt32(argMax(created_at, revision)) AS created, argMax(is_removed, revision) AS removed
       FROM ${this.#secrets}.hooks GROUP BY id HAVING NOT removed ORDER BY created, id LIMIT ${MAX_HOOKS}`,
      { route, settings: READ },
    );
    return rows.map(([id, url, secret, filter, start, allowsPrivate, createdAt, isRemoved]) => ({
      id,
      url,
      secret,
      filter,
      start,
      allowsPrivate,
      createdAt,
      isRemoved,
    }));
  }

  /** Adds the current state of a webhook. */
  async write(hook: Hook): Promise<void> {
    await this.#client.command(
      `INSERT INTO ${this.#secrets}.hooks (id, url, secret, filter, start, allows_private, created_at, is_removed, revision)
       SELECT {id:String}, {url:String}, {secret:String}, {filter:String}, {start:String}, {private:Bool},
         toDateTime({created:UInt32}), {removed:Bool}, (SELECT max(revision) + 1 FROM ${this.#secrets}.hooks WHERE id = {id:String})`,
      {
        route,
        params: {
          id: hook.id,
          url: hook.url,
          secret: hook.secret,
          filter: hook.filter,
          start: hook.start,
          private: hook.allowsPrivate,
          created: hook.createdAt,
          removed: hook.isRemoved,
        },
      },
    );
  }

  /** Ids of the last events that were delivered, by webhook. */
  async positions(): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.#client.queryRows<[string, string]>(
      `SELECT hook, argMax(position, at) FROM ${this.#database}.hook_positions GROUP BY hook`,
      { route, settings: READ },
    );
    return new Map(rows);
  }

  async moveTo(hook: string, position: string): Promise<void> {
    await this.#client.command(
      `INSERT INTO ${this.#database}.hook_positions (hook, position) SELECT {hook:String}, {position:String}`,
      { route, params: { hook, position } },
    );
  }

  /** Dead letters in a state, oldest first. */
  async deadLetters(state: HookDeadLetter['state']): Promise<readonly HookDeadLetter[]> {
    const { rows } = await this.#client.queryRows<[string, string, string, string, HookDeadLetter['state']]>(
      `SELECT hook, delivery, argMax(body, at), argMax(error, at), argMax(state, at) AS last FROM ${this.#database}.hook_dead_letters
       GROUP BY hook, delivery HAVING last = {state:String} ORDER BY min(at), delivery LIMIT ${MAX_LETTERS}`,
      { route, settings: READ, params: { state } },
    );
    return rows.map(([hook, delivery, body, error, last]) => ({ hook, delivery, body, error, state: last }));
  }

  async writeDeadLetter({ hook, delivery, body, error, state }: HookDeadLetter): Promise<void> {
    await this.#client.command(
      `INSERT INTO ${this.#database}.hook_dead_letters (hook, delivery, body, error, state)
       SELECT {hook:String}, {delivery:String}, {body:String}, {error:String}, {state:String}`,
      { route, params: { hook, delivery, body, error, state } },
    );
  }

  /** Queues all open dead letters, or those of one webhook, again. Returns their number. */
  async retry(hook: string | null): Promise<number> {
    const letters = (await this.deadLetters('open')).filter((one) => hook === null || one.hook === hook);
    for (const letter of letters) await this.writeDeadLetter({ ...letter, state: 'due' });
    return letters.length;
  }
}
