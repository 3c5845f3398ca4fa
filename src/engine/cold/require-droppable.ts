import type { SealingBus } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';

/** Raw blocks cannot be dropped from this store. */
export class NotDroppableError extends ConflictError {
  constructor(reason: string) {
    super(`--hot-epochs cannot be used: ${reason}`);
  }
}

/**
 * Checks that the store may drop raw blocks of old epochs.
 * @throws NotDroppableError
 */
export function requireDroppable(
  { sealing }: { readonly sealing?: SealingBus },
  { cluster }: Pick<StoreClient, 'cluster'>,
): void {
  if (!sealing) throw new NotDroppableError('a log on Kafka has no sealed files that keep the blocks');
  if (cluster) throw new NotDroppableError('the store is a cluster, whose servers have parts of their own');
}
