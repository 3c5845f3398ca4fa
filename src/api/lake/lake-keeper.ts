import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { onCluster } from '../../platform/clickhouse/cluster-scope.ts';
import { quoted } from '../../platform/clickhouse/quoted.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import { READ_PROJECTIONS, type VersionVector, type VisibleRange } from '../version-vector.ts';
import { type DictionaryAccess, dictionaryStatements } from './dictionaries.ts';
import { LOOKUP_READS, type LookupName, lookupName } from './lookup-names.ts';
import { expandView } from './macros.ts';
import { MadeViews, madeName } from './made-views.ts';
import { type Confirming, rangeName, rangeSelect } from './range-view.ts';
import { HELPER_PREFIX, type LakeSources } from './sources.ts';
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
      `CREATE OR REPLACE VIEW ${rangeName(sources, name)}${onCluster(this.#parts.client)} AS ${select}`,
    );
    this.#ranges.set(name, { text: database, range: visible });
  }

  async #createAll(served: LakeSources): Promise<void> {
    const { client, access } = this.#parts;
    const columns = await this.#readColumns(served);
    const hasOlderDetections =
      'detections' in served.databases && !columns.has('detections.token_states.had');
    const sources = { ...served, hasOlderDetections };
    const { rows } = await client.queryRows<[number, string, string]>(
      'SELECT tcpPort(), version(), currentUser()',
      { route },
    );
    const [port, ...server] = rows[0] ?? [];
    const at = { ...access, port: Number(port) };
    for (const statement of dictionaryStatements(sources, at, onCluster(client))) await this.#run(statement);
    const possible = this.#choose(sources, columns);
    const selects = possible.map((view) => [view, expandView(view.select, sources)] as const);
    const made = new MadeViews(client, sources, [server, selects, [...columns]]);
    if (!(await made.isMade())) {
      await made.begin();
      await this.#createViews(sources, possible);
      await this.#dropViews(sources, possible);
      await made.finish();
    }
    await this.#dropHelpers(sources);
  }

  async #createViews(sources: LakeSources, possible: readonly LakeView[]): Promise<void> {
    for (const group of inOrder(possible)) {
      const statements: string[] = [];
      for (const view of group) statements.push(await this.#describeView(sources, view));
      // All at once: a statement that joins views can meet two versions only in this moment.
      for (const statement of statements) await this.#run(statement);
    }
  }

  /** Columns of the served versions, as projection.table.column, with their types. */
  async #readColumns({ databases }: LakeSources): Promise<ReadonlyMap<string, string>> {
    const names = Object.entries(databases);
    const { rows } = await this.#parts.client.queryRows<[string, string, string, string]>(
      'SELECT database, table, name, type FROM system.columns WHERE database IN {databases:Array(String)} ORDER BY ALL',
      { route, params: { databases: names.map(([, database]) => database) } },
    );
    const projections = new Map(names.map(([name, database]) => [database, name]));
    return new Map(
      rows.map(([database, table, name, type]) => [`${projections.get(database)}.${table}.${name}`, type]),
    );
  }

  /** The views that the served versions allow: each as it is, or as it was before columns that a version lacks. */
  #choose({ databases }: LakeSources, columns: ReadonlyMap<string, string>): readonly LakeView[] {
    const isPossible = ({ reads, needs }: LakeView) =>
      reads.every((name) => name in databases) && needs.every((column) => columns.has(column));
    return this.#parts.views.flatMap(
      (view) => [view, view.older].find((one) => one && isPossible(one)) ?? [],
    );
  }

  /** Drops views of this release that the served versions do not allow. */
  async #dropViews({ lake }: LakeSources, possible: readonly LakeView[]): Promise<void> {
    const { client, views } = this.#parts;
    const impossible = views
      .map(({ name }) => name)
      .filter((name) => !possible.some((one) => one.name === name));
    const { rows } = await client.queryRows<[string]>(
      `SELECT name FROM system.tables WHERE database = {lake:String} AND engine = 'View' AND name IN {impossible:Array(String)}`,
      { route, params: { lake, impossible } },
    );
    for (const [name] of rows) await this.#run(`DROP VIEW IF EXISTS ${lake}.${name}${onCluster(client)}`);
  }

  /**
   * Drops dictionaries of other versions, which no view reads any more, and range views of
   * pruned versions. Range views of the version before stay for statements that have begun.
   */
  async #dropHelpers(sources: LakeSources): Promise<void> {
    const { client } = this.#parts;
    const { network } = sources;
    const lookups = Object.keys(LOOKUP_READS) as LookupName[];
    const current = [
      ...lookups.map((name) => lookupName(sources, name)),
      ...Object.keys(sources.databases).map((name) => rangeName(sources, name)),
      madeName(sources),
    ];
    const { rows } = await client.queryRows<[string, string]>(
      `SELECT concat(database, '.', name), engine FROM system.tables
       WHERE database = {network:String} AND startsWith(name, '${HELPER_PREFIX}') AND (engine = 'Dictionary'
         OR engine = 'View' AND NOT arrayExists(x -> position(create_table_query, concat(' ', x, '.')) > 0, (SELECT groupArray(name) FROM system.databases WHERE startsWith(name, concat({network:String}, '_')))))`,
      { route, params: { network } },
    );
    for (const [name, engine] of rows.filter(([one]) => !current.includes(one)))
      await this.#run(`DROP ${engine} IF EXISTS ${name}${onCluster(client)}`);
  }

  /** The statement that creates or replaces a view. */
  async #describeView(sources: LakeSources, view: LakeView): Promise<string> {
    const { client } = this.#parts;
    const select = expandView(view.select, sources);
    const { rows } = await client.queryRows<[string, string]>(`DESCRIBE (${select})`, { route });
    const comments = new Map(view.columns.map(({ name, comment }) => [name, comment]));
    const columns = rows.map(
      ([name, type]) => `\`${name}\` ${type} COMMENT ${quoted(comments.get(name) ?? '')}`,
    );
    return (
      `CREATE OR REPLACE VIEW ${sources.lake}.${view.name}${onCluster(client)} (${columns.join(', ')})` +
      ` DEFINER = CURRENT_USER SQL SECURITY DEFINER AS ${select} COMMENT ${quoted(view.comment)}`
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

/** Views over tables, then those over other views, in order. */
function inOrder(views: readonly LakeView[]): readonly (readonly LakeView[])[] {
  const isOverViews = ({ select }: LakeView) => select.includes('{views}.');
  // Each of them may be over the one before.
  const overViews = views.filter(isOverViews).map((view) => [view]);
  return [views.filter((view) => !isOverViews(view)), ...overViews];
}
