import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { type AnalystAccount, createAnalyst, createFunctions } from '../../api/lake/lake-account.ts';
import { LakeKeeper } from '../../api/lake/lake-keeper.ts';
import { type LakeView, readViewFiles } from '../../api/lake/view-file.ts';
import { Refreshed } from '../../api/refreshed.ts';
import { FailedLogins } from '../../api/sql/failed-logins.ts';
import { readSqlUsers } from '../../api/sql/sql-users.ts';
import type { SqlPort, SqlUser } from '../../api/sql-port.ts';
import type { VersionVector } from '../../api/version-vector.ts';
import { MIGRATIONS } from '../../engine/project-files.ts';
import { getPartitions } from '../../engine/projection/projection.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { isTestnet } from '../../ton/test-network.ts';
import type { Session } from '../session.ts';
import type { AnalystAccess } from './store.ts';

/** Interval of checks whether the views are those of the served versions; each statement of an analyst checks, too. */
const CHECK_MS = 1_000;
const USERS_MS = 1_000;

/** What the views and their users are made from. */
export interface LakeStore {
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  readonly access: AnalystAccess;
  vector(): VersionVector;
}

/** Reads the views of clickhouse/lake/views, by name. */
export function readLakeViews(): readonly LakeView[] {
  const folder = join(MIGRATIONS, 'lake', 'views');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return readViewFiles(
    Object.fromEntries(
      files.map((file) => [file.slice(0, -'.sql'.length), readFileSync(join(folder, file), 'utf8')]),
    ),
  );
}

/** Creates a keeper of the views of the lake. */
export function createLakeKeeper({ client, identity, access, vector }: LakeStore, lake: string): LakeKeeper {
  return new LakeKeeper({
    client,
    network: identity.network,
    lake,
    views: readLakeViews(),
    vector,
    access: access.lookups,
    confirming: (name) => {
      const projection = PROJECTIONS.find((one) => one.name === name);
      return {
        partitions: projection ? getPartitions(projection) : null,
        isIsolated: identity.facts.continuity === 'isolated',
        epochSize: identity.epochSize,
      };
    },
  });
}

/** Creates the views of the lake, keeps them over the served versions, and returns how analysts read them. */
export async function openLake(
  store: LakeStore,
  { lake, statements }: Pick<SqlPort, 'lake' | 'statements'>,
  session: Session,
): Promise<SqlPort> {
  const { client, identity, access } = store;
  const { network } = identity;
  const keeper = createLakeKeeper(store, lake);
  const account: AnalystAccount =
    access.analyst ?? (await createAnalyst({ client, owner: access.owner, log: session.log }, lake));
  await createFunctions({ client, log: session.log }, isTestnet(identity));
  const users = new Refreshed<ReadonlyMap<string, SqlUser>>(new Map(), {
    read: async () => new Map((await readSqlUsers(client, network)).map((user) => [user.name, user])),
    everyMs: USERS_MS,
    log: session.log,
    failure: 'the SQL users could not be read; those known stay',
  });
  await users.start();
  keepUpToDate(keeper, session);
  session.shutdown.add('SQL users', () => users.close());
  return {
    url: access.url,
    user: account.user,
    password: account.password,
    lake,
    failures: new FailedLogins({ peers: session.peers }),
    statements,
    users: () => users.value,
    ready: async () => {
      if (account.refused !== undefined) throw new Error(account.refused);
      await keeper.refresh();
    },
  };
}

/** Follows the served versions until the session ends. */
function keepUpToDate(keeper: LakeKeeper, { log, shutdown }: Session): void {
  let failure = '';
  const check = async () => {
    try {
      await keeper.refresh();
      failure = '';
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (text !== failure) log.warn({ error: text }, 'the views for analysts are not up to date');
      failure = text;
    }
  };
  let checking = check();
  const timer = setInterval(() => {
    checking = checking.then(check);
  }, CHECK_MS).unref();
  shutdown.add('views for analysts', async () => {
    clearInterval(timer);
    await checking;
  });
}
