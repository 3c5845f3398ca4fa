import { PROJECTIONS, projectionsWith } from '../../../pipelines/projections.ts';
import { getPartitions, type TableProjection } from '../../engine/projection/projection.ts';
import { UnmetNeedError, unmetNeeds } from '../../engine/versions/begun-projections.ts';
import type { LogIdentity } from '../../log/port.ts';
import { UsageError } from '../../platform/errors/error-kinds.ts';
import type { RulesRelease } from '../../projections/actions/match/context.ts';

/** Which projections run: the setting `projections`. */
export type ProjectionChoice = 'all' | readonly string[];

/** A projection that does not exist. */
export class UnknownProjectionError extends UsageError {
  constructor(name: string) {
    const names = PROJECTIONS.map((projection) => projection.name).join(', ');
    super(`no projection ${JSON.stringify(name)}: there are ${names}`);
  }
}

/** A projection that follows the chain was named for an index of unrelated blocks. */
export class NoChainError extends UsageError {
  constructor(name: string) {
    super(`no projection ${name}: an index of unrelated blocks (--isolated) has only base`);
  }
}

/** Choices that are part of what projections write. */
export interface WrittenBy {
  /** Release of the rules for actions. Default: 1.2. */
  readonly actionRules?: RulesRelease | undefined;
}

/** @throws UnknownProjectionError */
export function projectionNamed(name: string, { actionRules }: WrittenBy): TableProjection {
  const found = projectionsWith(actionRules).find((projection) => projection.name === name);
  if (!found) throw new UnknownProjectionError(name);
  return found;
}

/**
 * The chosen projections, needed ones first. `isPartial`: another process may write the needed ones.
 * @throws UnknownProjectionError, UnmetNeedError
 */
export function chosenProjections(
  choice: ProjectionChoice,
  { actionRules }: WrittenBy,
  isPartial = false,
): readonly TableProjection[] {
  if (choice === 'all') return projectionsWith(actionRules);
  const named = choice.map((name) => projectionNamed(name, { actionRules }));
  const [unmet] = isPartial ? [] : unmetNeeds(named);
  if (unmet) throw new UnmetNeedError(unmet.name, unmet.need, 'which --projections leaves out');
  return named.toSorted((a, b) => getPlace(a) - getPlace(b));
}

/** Needed projections come first. */
function getPlace({ name }: TableProjection): number {
  return PROJECTIONS.findIndex((projection) => projection.name === name);
}

/**
 * The chosen projections that a log can have: isolated blocks have none in chain order.
 * @throws NoChainError if one of these was named
 */
export function projectionsOfLog(
  choice: ProjectionChoice,
  chosen: readonly TableProjection[],
  { facts }: LogIdentity,
): readonly TableProjection[] {
  if (facts.continuity !== 'isolated') return chosen;
  const carried = chosen.find((projection) => getPartitions(projection) !== null);
  if (carried && choice !== 'all') throw new NoChainError(carried.name);
  return chosen.filter((projection) => getPartitions(projection) === null);
}
