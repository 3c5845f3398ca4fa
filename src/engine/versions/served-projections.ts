import type { TableProjection } from '../projection/projection.ts';
import { PointerWatch } from './pointer-watch.ts';
import {
  type ConfirmedSteps,
  type FollowedProjection,
  type FollowScope,
  ServedVersion,
  type ServedView,
} from './served-version.ts';
import type { VersionSchema } from './version-schema.ts';

/** Follows the served versions of several projections, until the session ends. */
export class ServedProjections {
  readonly #versions: ReadonlyMap<string, ServedVersion>;

  private constructor(versions: ReadonlyMap<string, ServedVersion>) {
    this.#versions = versions;
  }

  /** Resolves when all versions and their visible ranges are known. */
  static async start(
    followed: Omit<FollowedProjection, 'projection' | 'pointers'> &
      Partial<Pick<FollowedProjection, 'pointers'>>,
    projections: readonly Pick<TableProjection, 'name' | 'order'>[],
    session: FollowScope,
  ): Promise<ServedProjections> {
    const { pointers = new PointerWatch(followed.client, followed.identity.network) } = followed;
    const versions = projections.map(
      (projection) =>
        [projection.name, new ServedVersion({ ...followed, projection, pointers }, session)] as const,
    );
    await Promise.all(versions.map(([, version]) => version.start()));
    return new ServedProjections(new Map(versions));
  }

  /** Current served view of a projection; off if it is not followed. */
  view(name: string): ServedView {
    return this.#versions.get(name)?.view ?? { state: 'off' };
  }

  /** Tables of a version that is or was followed; null where nothing was written down of it. */
  getTables(database: string): VersionSchema['tables'] | null {
    for (const version of this.#versions.values()) {
      const tables = version.getTables(database);
      if (tables) return tables;
    }
    return null;
  }

  /** Why a version that is served elsewhere is not followed, of any projection; null where all are. */
  get refused(): string | null {
    for (const { refused } of this.#versions.values()) if (refused !== null) return refused;
    return null;
  }

  /** Steps of a projection were confirmed, in this process: they are visible without a look at the store. */
  confirmed(projection: string, steps: ConfirmedSteps): void {
    this.#versions.get(projection)?.confirmed(steps);
  }

  /** To be called before an answer: brings what is visible up to date where another process writes. */
  async freshen(projections: readonly string[]): Promise<void> {
    await Promise.all(projections.map((name) => this.#versions.get(name)?.freshen()));
  }
}
