import type { AuditOptions, AuditPart, TableAudit } from '../../../engine/projection/table-audit.ts';
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
  damagedSteps: ({ client, database }, { facts }, open) =>
    damagedSteps(client, database, facts.continuity === 'isolated' ? 'isolated' : 'chain', open),
  emptySteps,
  recentDamage: ({ client, database }) => recentDamage(client, database),
};

async function runChecks(options: AuditOptions, checks?: readonly Check[], part?: AuditPart) {
  const { client, database, identity } = options;
  return runVerify({
    ...options,
    facts: await readIndexFacts(client, database, identity),
    ...(checks && { checks }),
    ...(part && { part }),
  });
}
