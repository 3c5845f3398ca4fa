import { SettingError } from '../platform/config/setting.ts';
import { DataError } from '../platform/errors/error-kinds.ts';
import { isMasterchainSeqno, parseStartPoint } from './liteserver/start-point.ts';

/** Masterchain blocks that are taken of an archive, both inclusive. Null: from its first, to its last. */
export interface BlockRange {
  readonly first: number | null;
  readonly last: number | null;
}

/** The block before a range is not in the archive, so the range cannot be proven to continue it. */
export class RangeStartError extends DataError {
  constructor(source: string, first: number) {
    super(
      `${source} has no masterchain block ${first - 1}: a range from ${first} begins with the shard blocks after it. ` +
        'Add the package with that block',
    );
  }
}

/**
 * Range of `--from` and `--to` for packages; null if neither is given.
 * @throws SettingError
 */
export function parseBlockRange({
  from = 'now',
  to,
}: {
  readonly from?: string;
  readonly to?: string | undefined;
}): BlockRange | null {
  const start = parseStartPoint(from);
  if (start.kind === 'time')
    throw new SettingError('--from', {
      found: from,
      allowed: 'a masterchain seqno for packages; a time only for the source liteserver',
      origin: 'the settings',
    });
  const first = start.kind === 'seqno' ? start.seqno : null;
  const last = to === undefined ? null : Number(to);
  if (to !== undefined && (!isMasterchainSeqno(to) || (first ?? 0) > last!))
    throw new SettingError('--to', {
      found: to,
      allowed: `a masterchain seqno from ${first ?? 0}`,
      origin: 'the settings',
    });
  return first === null && last === null ? null : { first, last };
}
