import { CONTRACTS } from '../../../pipelines/contracts.ts';
import { begunProjections } from '../../engine/versions/begun-projections.ts';
import { servedVersion } from '../../engine/versions/prepare-store.ts';
import { getDatabase } from '../../engine/versions/version-names.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { type CellStore, knowsCells } from '../../projections/contracts/cells/missing-cells.ts';

/**
 * Why an index knows of no cells: its blocks are unrelated, the projection `contracts` is off, or an earlier release made
 * its served version.
 */
export type NoCells = 'isolated' | 'off' | 'outdated';

/** The served version of `contracts`, whose missing cells are known. */
export async function openCellStore(
  client: StoreClient,
  identity: LogIdentity,
): Promise<CellStore | NoCells> {
  const { network } = identity;
  if (identity.facts.continuity === 'isolated') return 'isolated';
  const [begun] = await begunProjections(client, identity, [CONTRACTS]);
  if (!begun) return 'off';
  const version = await servedVersion(client, identity, CONTRACTS);
  const store = { client, network, database: getDatabase(identity, CONTRACTS, version) };
  return (await knowsCells(store)) ? store : 'outdated';
}
