import type { AuditOptions, TableAudit } from '../../../engine/projection/table-audit.ts';
import type { Check } from './check.ts';
import { emptySteps } from './empty-steps.ts';
import { readIndexFacts } from './index-facts.ts';
import { recentDamage } from './recent-damage.ts';
import { damagedSteps } from './store-damage.ts';
import { DERIVED_CHECKS, runVerify } from './verify-stage.ts';

/** The laws of the tables of `base`. */
export const BASE_AUDIT: TableAudit = {
  verify: (options) => runChecks(options),
  verifyDerived: (options) => runChecks(options, DERIVED_CHECKS),
  damagedSteps: ({ client, database }, { facts }, open) =>
    damagedSteps(client, database, facts.continuity === 'isolated' ? 'isolated' : 'chain', open),
  emptySteps,
  recentDamage: ({ client, database }) => recentDamage(client, database),
};

async function runChecks(options: AuditOptions, checks?: readonly Check[]) {
  const { client, database, identity } = options;
  return runVerify({
    ...options,
    facts: await readIndexFacts(client, database, identity),
    ...(checks && { checks }),
  });
}
