import { readColdRanges } from '../../../engine/cold/cold-epochs.ts';
import type { LogIdentity } from '../../../engine/projection/projection.ts';
import type { AuditOptions, AuditPart, TableAudit } from '../../../engine/projection/table-audit.ts';
import { rangeCondition } from '../../../engine/ranges/position-ranges.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import type { Check } from './check.ts';
import { emptySteps } from './empty-steps.ts';
import { readIndexFacts } from './index-facts.ts';
import { recentDamage } from './recent-damage.ts';
import { damagedSteps } from './store-damage.ts';
import { ACCOUNT_PARTS, DERIVED_CHECKS, runVerify } from './verify-stage.ts';

/** The laws of the tables of `base`. */
export const BASE_AUDIT: TableAudit = {
  verify: (options) => runChecks(options),
  verifyPart: (options, part) => runChecks(options, undefined, part),
  accountParts: ACCOUNT_PARTS,
  verifyDerived: (options) => runChecks(options, DERIVED_CHECKS),
  damagedSteps: async ({ client, database }, identity, open) =>
    damagedSteps(client, database, identity.facts.continuity === 'isolated' ? 'isolated' : 'chain', {
      open,
      cold: await coldSteps(client, identity),
    }),
  emptySteps,
  recentDamage: async ({ client, database }, identity) =>
    recentDamage(client, database, await coldSteps(client, identity)),
};

/** Condition on `mc_seqno`: steps whose raw blocks may be in sealed files only. */
async function coldSteps(client: StoreClient, identity: LogIdentity): Promise<string> {
  return rangeCondition('mc_seqno', await readColdRanges(client, identity));
}

async function runChecks(options: AuditOptions, checks?: readonly Check[], part?: AuditPart) {
  const { client, database, identity } = options;
  return runVerify({
    ...options,
    cold: () => coldSteps(client, identity),
    facts: await readIndexFacts(client, database, identity),
    ...(checks && { checks }),
    ...(part && { part }),
  });
}
