import { PROJECTIONS } from '../../../pipelines/projections.ts';
import type { TableProjection } from '../../engine/projection/projection.ts';
import { UsageError } from '../../platform/config/usage-error.ts';

/** A projection that does not exist. */
export class UnknownProjectionError extends UsageError {
  override readonly name = 'UnknownProjectionError';
  constructor(name: string) {
    const names = PROJECTIONS.map((projection) => projection.name).join(', ');
    super(`no projection ${JSON.stringify(name)}: there are ${names}`);
  }
}

/** @throws UnknownProjectionError */
export function projectionNamed(name: string): TableProjection {
  const found = PROJECTIONS.find((projection) => projection.name === name);
  if (!found) throw new UnknownProjectionError(name);
  return found;
}
