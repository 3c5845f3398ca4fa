import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { readAmounts } from './mintless-file.ts';
import { writeMintlessAmounts } from './mintless-records.ts';

/** Writes the amounts of a file and counts them; the whole file is read before a line of it is written. @throws UsageError */
export async function writeMintlessFile(
  client: StoreClient,
  network: string,
  master: string,
  { path, signal }: { readonly path: string; readonly signal?: AbortSignal },
): Promise<number> {
  for await (const _ of readAmounts(path, signal));
  let owners = 0;
  for await (const page of readAmounts(path, signal)) {
    await writeMintlessAmounts(client, network, master, page);
    owners += page.length;
  }
  return owners;
}
