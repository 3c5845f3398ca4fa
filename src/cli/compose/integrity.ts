import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { IntegrityProver } from '../../engine/integrity/integrity-prover.ts';
import { ProofRecords } from '../../engine/integrity/proof-records.ts';
import type { ServedProjections } from '../../engine/versions/served-projections.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { Session } from '../session.ts';
import { projectionsOfLog } from './projections.ts';

/** Verifies the served tables in the background until the session ends. */
export function startProver(
  served: ServedProjections,
  { client, identity }: { readonly client: StoreClient; readonly identity: LogIdentity },
  { log, shutdown }: Session,
): IntegrityProver {
  const projections = projectionsOfLog('all', PROJECTIONS, identity);
  const records = new ProofRecords(client, identity.network);
  const view = (projection: string) => served.view(projection);
  const prover = new IntegrityProver({ client, identity, log, projections, view, records });
  prover.start();
  shutdown.add('integrity', () => prover.close());
  return prover;
}
