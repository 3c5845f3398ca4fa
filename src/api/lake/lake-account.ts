import { createHash, createHmac } from 'node:crypto';
import { analystName, analystStatements } from '../../platform/clickhouse/analyst-profile.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { onCluster } from '../../platform/clickhouse/cluster-scope.ts';
import {
  StoreError,
  StoreTimeoutError,
  StoreUnavailableError,
} from '../../platform/clickhouse/store-errors.ts';
import type { ServeLog } from '../serve-context.ts';
import { BUILT_IN, functionStatements } from './sql-functions.ts';

const route = 'lake';
/**
 * True if the server refused the statement: the owner may not do this, users are files that only an operator edits, or its
 * version does not know the statement. Answers of the API need none of it, so they go on.
 */
function isRefusal(error: unknown): error is StoreError {
  const isAway = error instanceof StoreUnavailableError || error instanceof StoreTimeoutError;
  return error instanceof StoreError && !isAway;
}

/** The owner's client of a store, and the log for what the owner may not do. */
export interface OwnedStore {
  readonly client: StoreClient;
  readonly log: ServeLog;
}

/** Account of the store that statements of analysts run as. */
export interface AnalystAccount {
  readonly user: string;
  readonly password: string;
  /** Why there is no such user. */
  readonly refused?: string;
}

/** Creates the analyst on a given server. Its password follows from the owner's, so that all processes know it. */
export async function createAnalyst(
  { client, owner, log }: OwnedStore & { readonly owner: AnalystAccount },
  lake: string,
): Promise<AnalystAccount> {
  const user = analystName(lake);
  const password = createHmac('sha256', owner.password).update(user).digest('base64url');
  const hash = createHash('sha256').update(password).digest('hex');
  try {
    for (const statement of analystStatements(lake, hash, onCluster(client)))
      await client.command(statement, { route });
    return { user, password };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const refused = `SQL for analysts is off: ${owner.user} cannot create users, settings profiles, quotas and grants on this ClickHouse server`;
    log.warn({ error: error.message }, refused);
    return { user, password, refused };
  }
}

/** Creates the functions of other engines. Those that the engine has itself are left. */
export async function createFunctions({ client, log }: OwnedStore, isTestnet: boolean): Promise<void> {
  try {
    for (const statement of functionStatements(isTestnet, onCluster(client)))
      await client.command(statement, { route }).catch((error: unknown) => {
        if (!(error instanceof StoreError && error.code === BUILT_IN)) throw error;
      });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.warn({ error: error.message }, 'the SQL functions of analysts cannot be created');
  }
}
