import { ConflictError } from '../errors/error-kinds.ts';
import type { StoreClient } from './client.ts';

/** A statement that changes something was sent by work that only reads. */
export class ReadOnlyStoreError extends ConflictError {
  readonly route: string;
  constructor(route: string) {
    super(`${route}: the store is open for reading only`);
    this.route = route;
  }
}

/** The client without what changes the store; its queries are sent with `readonly = 2` anyway. */
export function readOnlyClient(client: StoreClient): StoreClient {
  const refuse = async ({ route }: { readonly route: string }): Promise<never> => {
    throw new ReadOnlyStoreError(route);
  };
  return {
    ...client,
    command: (_sql, options) => refuse(options),
    insertSelect: (_sql, options) => refuse(options),
    insertNative: (_table, _bytes, options) => refuse(options),
    killAndWait: (_prefix, options) => refuse(options),
    flush: async () => {},
  };
}
