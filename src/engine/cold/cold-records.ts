import type { EngineParts } from '../engine-parts.ts';
import type { ColdRecords, NewRecord } from '../projection/stored-input.ts';
import { intersectRanges } from '../ranges/position-ranges.ts';
import { readColdRanges } from './cold-epochs.ts';

type Parts = Pick<EngineParts, 'bus' | 'client' | 'identity'> & {
  readonly projection: Pick<EngineParts['projection'], 'reads'>;
};

/** Opens the cold records of the topic that a projection reads. */
export function coldRecords({ bus, client, identity, projection }: Parts): ColdRecords {
  return {
    async read(range) {
      const cold = intersectRanges(await readColdRanges(client, identity), [range]);
      const found = new Map<number, NewRecord[]>();
      for (const part of cold)
        for (const record of await bus.readSealed(projection.reads, part)) {
          const step = found.get(record.position) ?? [];
          // A copy of a record is not used: consumers drop it too.
          if (!step.some(({ key }) => key === record.key)) step.push(record);
          found.set(record.position, step);
        }
      return found;
    },
  };
}
