import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { onCluster } from '../../platform/clickhouse/cluster-scope.ts';
import { quoted } from '../../platform/clickhouse/quoted.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import { READ_PROJECTIONS, type VersionVector, type VisibleRange } from '../version-vector.ts';
import { type DictionaryAccess, dictionaryStatements } from './dictionaries.ts';
import { expandView } from './macros.ts';
import { type Confirming, rangeSelect } from './range-view.ts';
import { helperName, type LakeSources } from './sources.ts';
import type { LakeView } from './view-file.ts';

/** What the views are made from. */
export interface LakeParts {
  /** The owner of the store. */
  readonly client: StoreClient;
  readonly network: string;
  /** Name of the database of the views. */
  readonly lake: string;
  readonly views: readonly LakeView[];
  vector(): VersionVector;
  /** By projection. */
  confirming(projection: string): Confirming;
  readonly access: Omit<DictionaryAccess, 'port'>;
}

/** The database of the views belongs to another network, or to something else. */
export class LakeTakenError extends ConflictError {
  override readonly name = 'LakeTakenError';
  constructor(lake: string, expected: string, found: string) {
    super(
      `database ${lake}: expected the comment ${JSON.stringify(expected)}, found ${JSON.stringify(found)}: set --lake-database`,
    );
  }
}

/** The range of a helper view is written again after so many further steps: until then it reads their rows. */
const STEPS = 500;
const route = 'lake';

/**
 * Creates the views of the lake and keeps them over the served versions. Each view is replaced at once; a statement that
 * has begun goes on with the version that it began with.
 */
export class LakeKeeper {
  readonly #parts: LakeParts;
  #databases = '';
  readonly #ranges = new Map<string, { readonly text: string; readonly range: VisibleRange }>();
  #update: Promise<void> | null = null;

  constructor(parts: LakeParts) {
    this.#parts = parts;
  }

  /** Brings the views up to date with the served versions; cheap if they are. Rejects with what the store says. */
  refresh(): Promise<void> {
    this.#update ??= this.#refresh().finally(() => {
      this.#update = null;
    });
    return this.#update;
  }

  async #refresh(): Promise<void> {
    const served = getServed(this.#parts.vector());
    const databases = Object.fromEntries(served.map(({ name, database }) => [name, database]));
    const isNew = JSON.stringify(databases) !== this.#databases;
    const { network, lake } = this.#parts;
    const sources = { network, lake, databases };
    if (this.#databases === '') await this.#createDatabase();
    for (const one of served) await this.#keepRange(sources, one);
    if (!isNew) return;
    await this.#createAll(sources);
    this.#databases = JSON.stringify(databases);
  }

  async #createDatabase(): Promise<void> {
    const { client, lake, network } = this.#parts;
    const comment = `tonhouse: ${network}`;
    await this.#run(`CREATE DATABASE IF NOT EXISTS ${lake}${onCluster(client)} COMMENT '${comment}'`);
    const { rows } = await client.queryRows<[string]>(
      'SELECT comment FROM system.databases WHERE name = {lake:String}',
      { route, params: { lake } },
    );
    if (rows[0]?.[0] !== comment) throw new LakeTakenError(lake, comment, rows[0]?.[0] ?? '');
  }

  async #keepRange(sources: LakeSources, { name, database, visible }: Served): Promise<void> {
    const before = this.#ranges.get(name);
    const { first, last } = visible;
    const isCurrent =
      before?.text === database &&
      before.range.first === first &&
      last >= before.range.last &&
      last - before.range.last < STEPS;
    if (isCurrent) return;
    const select = rangeSelect(database, visible, this.#parts.confirming(name));
    await this.#run(
      `CREATE OR REPLACE VIEW ${helperName(sources, name)}${onCluster(this.#parts.client)} AS ${select}`,
    );
    this.#ranges.set(name, { text: database, range: visible });
  }

  async #createAll(sources: LakeSources): Promise<void> {
    const { client, views, access } = this.#parts;
    const { rows } = await client.queryRows<[number]>('SELECT tcpPort()', { route });
    const at = { ...access, port: Number(rows[0]?.[0]) };
    for (const statement of dictionaryStatements(sources, at, onCluster(client))) await this.#run(statement);
    const possible = views.filter(({ reads }) => reads.every((name) => name in sources.databases));
    for (const view of inOrder(possible)) await this.#createView(sources, view);
  }

  async #createView(sources: LakeSources, view: LakeView): Promise<void> {
    const { client } = this.#parts;
    const select = expandView(view.select, sources);
    const { rows } = await client.queryRows<[string, string]>(`DESCRIBE (${select})`, { route });
    const comments = new Map(view.columns.map(({ name, comment }) => [name, comment]));
    const columns = rows.map(
      ([name, type]) => `\`${name}\` ${type} COMMENT ${quoted(comments.get(name) ?? '')}`,
    );
    await this.#run(
      `CREATE OR REPLACE VIEW ${sources.lake}.${view.name}${onCluster(client)} (${columns.join(', ')})` +
        ` DEFINER = CURRENT_USER SQL SECURITY DEFINER AS ${select} COMMENT ${quoted(view.comment)}`,
    );
  }

  #run(sql: string): Promise<void> {
    return this.#parts.client.command(sql, { route });
  }
}

interface Served {
  readonly name: string;
  readonly database: string;
  readonly visible: VisibleRange;
}

function getServed(vector: VersionVector): readonly Served[] {
  return READ_PROJECTIONS.flatMap((name) => {
    const view = vector[name];
    return view.state === 'served' ? [{ name, database: view.database, visible: view.visible }] : [];
  });
}

/** Views over tables first: those over other views need them. */
function inOrder(views: readonly LakeView[]): readonly LakeView[] {
  const isOverViews = ({ select }: LakeView) => select.includes('{views}.');
  return [...views.filter((view) => !isOverViews(view)), ...views.filter(isOverViews)];
}
