import type { FastifyInstance } from 'fastify';
import type { LookUpPort } from '../../src/api/look-up-port.ts';
import type { ServeContext } from '../../src/api/serve-context.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import type { ProjectionName, VersionVector } from '../../src/api/version-vector.ts';
import { LookUpIndex } from '../../src/lookup/look-up-index.ts';
import type { ServedSteps } from '../../src/lookup/projection-follower.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { ALL_TABLES } from '../../src/tables/all-tables.ts';
import { type RecordedStatements, recordedStatements } from './recorded-statements.ts';

/** Projections of a test index. */
export const INDEXED = ['base', 'traces', 'contracts', 'detections', 'actions'] as const;

/** What a test index follows. */
interface Followed {
  readonly client: StoreClient;
  readonly getServed: (projection: ProjectionName) => ServedSteps | null;
  readonly logged: string[];
  /** Present: steps are read when answers need them. */
  readonly demand?: { readonly hasRoom: () => boolean };
}

/** Starts a look-up index in a folder. */
export async function startTestIndex(
  directory: string,
  { client, getServed, logged, demand }: Followed,
): Promise<LookUpIndex> {
  const index = await LookUpIndex.start({
    client,
    directory,
    chain: 'test',
    projections: INDEXED.map((name) => ({
      name,
      targets: ALL_TABLES[name]!.targets,
      getServed: () => getServed(name),
    })),
    getTables: () => null,
    ...(demand && { demand }),
    log: {
      info() {},
      warn: (facts, text) => logged.push(`${text} ${String((facts as { error?: unknown }).error)}`),
    },
  });
  if (!index) throw new Error(`${directory} is in use`);
  return index;
}

/** One answer of both servers. */
export interface PairOfAnswers {
  readonly indexed: string;
  readonly stored: string;
  /** Statements of the server with the index. */
  readonly statements: readonly string[];
}

/** Two servers over one store: one with the look-up index, one that answers by statements. Neither caches answers. */
export class AnswerPairs {
  readonly #apps: readonly FastifyInstance[];
  readonly #recorded: RecordedStatements;
  readonly #head: { vector: VersionVector };

  private constructor(
    apps: readonly FastifyInstance[],
    recorded: RecordedStatements,
    head: { vector: VersionVector },
  ) {
    this.#apps = apps;
    this.#recorded = recorded;
    this.#head = head;
  }

  static async open(context: ServeContext, lookUps: LookUpPort): Promise<AnswerPairs> {
    const head = { vector: context.vector() };
    // A busy machine may take longer than the default for a statement.
    const settings = { ...context.settings, responseCacheMb: 0, queryTimeoutMs: 60_000 };
    const recorded = recordedStatements();
    const vector = () => head.vector;
    const common = { ...context, settings, vector, freshen: async () => {} };
    const apps = await Promise.all([
      buildServer({ ...common, client: recorded.client(context.client), lookUps }),
      buildServer(common),
    ]);
    return new AnswerPairs(apps, recorded, head);
  }

  /** Asks both at the same head. */
  async ask(url: string, vector: VersionVector): Promise<PairOfAnswers> {
    this.#head.vector = vector;
    this.#recorded.take();
    const [indexed, stored] = await Promise.all(this.#apps.map((app) => app.inject(url)));
    const text = ({ statusCode, body }: { statusCode: number; body: string }) =>
      // v2 answers name the time at which they were made.
      `${statusCode} ${sorted(body.replace(/"@extra":"[^"]*"/, '"@extra":""'))}`;
    return { indexed: text(indexed!), stored: text(stored!), statements: this.#recorded.take() };
  }

  async close(): Promise<void> {
    await Promise.all(this.#apps.map((app) => app.close()));
  }
}

/** A JSON text with its keys in order: rows of a statement come in any order. */
function sorted(text: string): string {
  return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** The served version of a projection as an index follows it. */
export function servedSteps(
  context: Pick<ServeContext, 'vector'>,
  projection: ProjectionName = 'base',
): ServedSteps | null {
  const view = context.vector()[projection];
  return view.state === 'served' ? view : null;
}
