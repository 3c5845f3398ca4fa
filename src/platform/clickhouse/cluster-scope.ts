/** Servers that a statement runs on. */
export interface ClusterScope {
  /** Name of the cluster; null on one server. */
  readonly cluster: string | null;
}

/** The table that keeps a shard's rows: on one server the table itself, on a cluster the one under its `Distributed`. */
export function localTable(table: string, cluster: string | null): string {
  return cluster === null ? table : `${table}_local`;
}

/** The table that a name of `localTable` belongs to. */
export function tableOfLocal(local: string, cluster: string | null): string {
  return cluster === null ? local : local.replace(/_local$/, '');
}

/** Runs a statement on every server of the cluster; appended to the table's name, empty on one server. */
export function onCluster({ cluster }: ClusterScope): string {
  return cluster === null ? '' : ` ON CLUSTER '${cluster}'`;
}

/** The table that keeps the rows, as DDL and deletes name it: `db.t`, or `db.t_local ON CLUSTER 'c'`. */
export function storedTable(scope: ClusterScope, database: string, table: string): string {
  return `${database}.${localTable(table, scope.cluster)}${onCluster(scope)}`;
}

/** A table of `system` over all shards, one replica each: for sums over the rows of the store. */
export function ofShards({ cluster }: ClusterScope, table: string): string {
  return cluster === null ? table : `cluster('${cluster}', ${table})`;
}

/** A table of `system` over all servers, every replica among them. */
export function ofServers({ cluster }: ClusterScope, table: string): string {
  return cluster === null ? table : `clusterAllReplicas('${cluster}', ${table})`;
}
