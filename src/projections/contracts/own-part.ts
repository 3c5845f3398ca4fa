import type { DecodeShare } from '../../engine/decoding/chunk.ts';

/** True if the account or code with this hash belongs to a partition. */
export type IsOwn = (hash: Uint8Array) => boolean;

const ALL: IsOwn = () => true;

/** The accounts and codes of a partition: by their first byte, which is as good as random. Without a share: all. */
export function ownPart(share: DecodeShare | null | undefined): IsOwn {
  if (!share || share.partitions === 1) return ALL;
  const { partition, partitions } = share;
  return ([first = 0]) => Math.floor((first * partitions) / 256) === partition;
}
