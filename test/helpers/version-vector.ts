import type { ProjectionView, VersionVector, VisibleRange } from '../../src/api/version-vector.ts';

/** A version that is answered from; being built where nothing of it is visible. */
export function viewOf(database: string, visible: VisibleRange | null, version = 1): ProjectionView {
  return visible ? { state: 'served', version, database, visible } : { state: 'building', version, database };
}

/** The vector of an index with only `base`. */
export function baseVector(database: string, visible: VisibleRange | null): VersionVector {
  return {
    base: viewOf(database, visible),
    activity: { state: 'off' },
    contracts: { state: 'off' },
    detections: { state: 'off' },
    traces: { state: 'off' },
    actions: { state: 'off' },
    lake: { state: 'off' },
  };
}
