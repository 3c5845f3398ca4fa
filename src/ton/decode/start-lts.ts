/** Start of an index in one shard: account states whose last transaction lies below `lt` are from before it. */
export interface StartLt {
  readonly workchain: number;
  readonly shard: bigint;
  readonly lt: bigint;
}

/** The starts of all shards of an index. */
export interface StartLts {
  /** For blocks of this shard: the lowest of several starts (after a merge), so that no state is written twice. */
  below(workchain: number, shard: bigint): bigint;
  /** The highest of all starts: everything above is in the index. */
  readonly highest: bigint;
}

const shardHex = (shard: bigint): string => shard.toString(16).padStart(16, '0');

/** `workchain:shard=lt`, comma separated; a single number applies to every shard. */
export function formatStartLts(starts: readonly StartLt[] | bigint): string {
  if (typeof starts === 'bigint') return String(starts);
  return starts.map(({ workchain, shard, lt }) => `${workchain}:${shardHex(shard)}=${lt}`).join(',');
}

/**
 * Reads the starts that `formatStartLts` wrote.
 * @throws RangeError
 */
export function readStartLts(text: string): readonly StartLt[] | bigint {
  return /^\d+$/.test(text) ? BigInt(text) : text.split(',').map(parseStart);
}

/** Reads what `formatStartLts` wrote. */
export function parseStartLts(text: string): StartLts {
  const starts = readStartLts(text);
  if (typeof starts === 'bigint') return { below: () => starts, highest: starts };
  return {
    below: (workchain, shard) =>
      starts
        .filter((start) => start.workchain === workchain && intersect(start.shard, shard))
        .reduce((least, { lt }) => (least === 0n || lt < least ? lt : least), 0n),
    highest: starts.reduce((most, { lt }) => (lt > most ? lt : most), 0n),
  };
}

/** The text without the starts of shards that lie in one of these: there 0 counts. */
export function dropStartLts(
  text: string,
  shards: readonly { readonly workchain: number; readonly shard: bigint }[],
): string {
  const lowest = (shard: bigint) => shard & -shard;
  const isIn = (inner: StartLt, outer: { readonly workchain: number; readonly shard: bigint }) =>
    inner.workchain === outer.workchain &&
    lowest(inner.shard) <= lowest(outer.shard) &&
    intersect(inner.shard, outer.shard);
  const left = text
    .split(',')
    .map(parseStart)
    .filter((start) => !shards.some((shard) => isIn(start, shard)));
  return left.length === 0 ? '0' : formatStartLts(left);
}

function parseStart(part: string): StartLt {
  const [, workchain, shard, lt] = /^(-?\d+):([0-9a-f]{16})=(\d+)$/.exec(part) ?? [];
  if (workchain === undefined || shard === undefined || lt === undefined)
    throw new RangeError(`not WORKCHAIN:SHARD=LT: ${JSON.stringify(part)}`);
  return { workchain: Number(workchain), shard: BigInt(`0x${shard}`), lt: BigInt(lt) };
}

/** One of two shards contains the other: their prefixes agree up to the shorter one's end (ShardIdent, lowest set bit). */
function intersect(a: bigint, b: bigint): boolean {
  const lowest = (shard: bigint) => shard & -shard;
  const marker = lowest(a) > lowest(b) ? lowest(a) : lowest(b);
  const prefix = ~(marker * 2n - 1n);
  return (a & prefix) === (b & prefix);
}
