import type { StoreClient } from './client.ts';
import { secretsDatabase } from './migrations/database-names.ts';
import { StoreError } from './store-errors.ts';

const route = 'serve/secrets';
const SECRETS = ['api_keys', 'hooks'] as const;

/** Returns the tables of secrets that a user can read. None, unless the server's reader.xml is of an older release. */
export async function readableSecrets(reader: StoreClient, network: string): Promise<readonly string[]> {
  const readable: string[] = [];
  for (const name of SECRETS) {
    const table = `${secretsDatabase(network)}.${name}`;
    if (await canRead(reader, table)) readable.push(table);
  }
  return readable;
}

async function canRead(reader: StoreClient, table: string): Promise<boolean> {
  try {
    await reader.queryRows(`SELECT count() FROM ${table}`, { route });
    return true;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}
