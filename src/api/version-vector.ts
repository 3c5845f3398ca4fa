import { UnavailableError } from '../platform/errors/error-kinds.ts';

/** Masterchain seqnos whose rows are complete: confirmed, contiguous and holding the head. Both bounds inclusive. */
export interface VisibleRange {
  readonly first: number;
  readonly last: number;
}

/** True if the range of a chain has a block: step 0 is only the zerostate. */
export function hasBlocks({ last }: VisibleRange): boolean {
  return last > 0;
}

/** Projections whose tables the API reads. */
export const READ_PROJECTIONS = [
  'base',
  'activity',
  'contracts',
  'detections',
  'traces',
  'actions',
  'lake',
] as const;
export type ProjectionName = (typeof READ_PROJECTIONS)[number];

/** The served version of a projection, and its database. */
export interface ServedVersion {
  readonly version: number;
  readonly database: string;
}

/** State of a projection for answers at one moment; `building`: nothing of its first version can be read yet. */
export type ProjectionView =
  | { readonly state: 'off' }
  | ({ readonly state: 'building' } & ServedVersion)
  | ({ readonly state: 'served'; readonly visible: VisibleRange } & ServedVersion);

/** Version and visible range of every projection at one moment. */
export type VersionVector = Readonly<Record<ProjectionName, ProjectionView>>;

/** Source of an answer: one version of each projection that it reads, and the range that all of them have. */
export interface AnswerSource<R extends ProjectionName = ProjectionName> {
  readonly databases: Readonly<Record<R, string>>;
  readonly versions: Readonly<Record<R, number>>;
  readonly visible: VisibleRange;
  /** Projections that add optional fields to the answer; absent if they are unavailable. */
  readonly added: AddedSources;
}

/** The served version of projections that an answer can do without, each with a range of its own. */
export type AddedSources = Readonly<
  Partial<Record<ProjectionName, ServedVersion & { readonly visible: VisibleRange }>>
>;

/** Why a projection is unavailable: `off` on this server, `building` for the first time, or far `behind`. */
export type UnavailableState = 'off' | 'building' | 'behind';

/** Seconds after which a projection that is built or catches up is worth asking again. */
const RETRY_SECONDS = { building: 2, behind: 5 } as const;

/** An answer needs a projection that cannot be read now. */
export class ProjectionUnavailableError extends UnavailableError {
  readonly projection: ProjectionName;
  readonly state: UnavailableState;
  /** Seconds after which it is worth asking again; null: never while this server runs. */
  readonly retryAfter: number | null;

  constructor(projection: ProjectionName, state: UnavailableState, detail: string) {
    super(detail);
    this.projection = projection;
    this.state = state;
    this.retryAfter = state === 'off' ? null : RETRY_SECONDS[state];
  }

  /** 501 if the projection is off. 503 if it is being built or catches up: a later request can succeed. */
  override get httpStatus(): number {
    return this.state === 'off' ? 501 : super.httpStatus;
  }
}

/**
 * Steps that a projection may be behind `base` and still answer: the headers show how far it reaches. One that is
 * farther behind is catching up, and its facts may be very old.
 */
export const MAX_STEPS_BEHIND = 1_000;

/**
 * The versions of the projections that an answer reads and the range that all of them have.
 * @throws ProjectionUnavailableError
 */
export function resolveReads<R extends ProjectionName>(
  vector: VersionVector,
  reads: readonly R[],
  adds: readonly ProjectionName[] = [],
): AnswerSource<R> {
  const served = reads.map((name) => ({ name, ...getServed(vector, name) }));
  const visible = {
    first: Math.max(0, ...served.map((one) => one.visible.first)),
    last: Math.min(0xffff_ffff, ...served.map((one) => one.visible.last)),
  };
  for (const { name, visible: own } of served)
    if (own.last < visible.first) throw behind(name, own.last, visible.first);
  return {
    databases: Object.fromEntries(served.map((one) => [one.name, one.database])) as Record<R, string>,
    versions: Object.fromEntries(served.map((one) => [one.name, one.version])) as Record<R, number>,
    visible,
    added: Object.fromEntries(
      adds.flatMap((name) => {
        const view = vector[name];
        return view.state === 'served' ? [[name, view]] : [];
      }),
    ),
  };
}

function getServed(vector: VersionVector, name: ProjectionName) {
  const view = vector[name];
  if (view.state === 'off')
    throw new ProjectionUnavailableError(name, 'off', `the projection ${name} is off on this server`);
  if (view.state === 'building') {
    const detail = name === 'base' ? 'no blocks indexed yet' : `the projection ${name} is being built`;
    throw new ProjectionUnavailableError(name, 'building', detail);
  }
  const steps = stepsBehind(vector, name);
  if (steps > MAX_STEPS_BEHIND) throw behind(name, view.visible.last, view.visible.last + steps);
  return view;
}

/** Masterchain steps that `base` has and the projection lacks at the head; 0 where either cannot be answered from. */
export function stepsBehind({ base, ...others }: VersionVector, name: ProjectionName): number {
  const view = name === 'base' ? base : others[name];
  if (base.state !== 'served' || view.state !== 'served') return 0;
  return Math.max(0, base.visible.last - view.visible.last);
}

function behind(name: ProjectionName, reached: number, head: number): ProjectionUnavailableError {
  const detail = `the projection ${name} is not up to date: it has masterchain block ${reached}, the index has ${head}`;
  return new ProjectionUnavailableError(name, 'behind', detail);
}

/** A source whatever projections it has. */
export type NamedSource = Pick<AnswerSource<never>, 'visible' | 'added'> & {
  readonly databases: Readonly<Record<string, string>>;
};

/** Names versions and range: two answers of one source are of the same rows. */
export function sourceName({ databases, visible, added }: NamedSource): string {
  const addedRanges = Object.values(added).map((one) => ` ${one.database} ${rangeText(one.visible)}`);
  return `${Object.values(databases).join(' ')} ${rangeText(visible)}${addedRanges.join('')}`;
}

function rangeText({ first, last }: VisibleRange): string {
  return `${first}-${last}`;
}
