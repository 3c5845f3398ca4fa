import { DataError } from '../../platform/errors/error-kinds.ts';
import type { KnownRecord } from '../projection/stored-input.ts';

/** Neither the log nor the store nor the source has these blocks. */
export class LostBlocksError extends DataError {
  readonly blocks: number;
  readonly first: string;
  constructor(blocks: number, first: KnownRecord, places: readonly string[]) {
    super(
      `${blocks} blocks are not in ${['raw_blocks', ...places].join(', nor in ')}, the first is ${first.key} of ` +
        `masterchain ${first.position}: \`tonhouse replay … --source archive:PATH\` reads them from an archive`,
    );
    this.blocks = blocks;
    this.first = first.key;
  }
}
