import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { IntegrityProver, type ProjectionProof } from '../../engine/integrity/integrity-prover.ts';
import { ProofRecords } from '../../engine/integrity/proof-records.ts';
import type { ServedProjections } from '../../engine/versions/served-projections.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { readGroupPlace } from '../../platform/config/group-place.ts';
import type { Peers } from '../../platform/processes/peers.ts';
import type { Session } from '../session.ts';
import { projectionsOfLog } from './projections.ts';

const TOPIC = 'integrity';
/** Interval at which a group's prover says how far it is, milliseconds. */
const SAY_MS = 5_000;

/** How far the proof of each projection is. */
interface Prover {
  readonly proofs: readonly ProjectionProof[];
}

/**
 * Verifies the served tables in the background until the session ends. In a group of processes the first one does it, and
 * tells the others.
 */
export function startProver(
  served: ServedProjections,
  store: { readonly client: StoreClient; readonly identity: LogIdentity },
  session: Session,
): Prover {
  const { peers } = session;
  if (!peers) return startOwnProver(served, store, session);
  if (readGroupPlace()?.number !== 1) return followProver(peers);
  const prover = startOwnProver(served, store, session);
  const say = () => peers.say(TOPIC, prover.proofs);
  peers.listen(TOPIC, { said() {}, joined: say, gone() {} });
  const timer = setInterval(say, SAY_MS).unref();
  session.shutdown.add('integrity of the group', () => clearInterval(timer));
  return prover;
}

/** What the prover of another process said last. */
function followProver(peers: Peers): Prover {
  let proofs: readonly ProjectionProof[] = [];
  const said = (_from: number, message: unknown) => {
    proofs = message as readonly ProjectionProof[];
  };
  peers.listen(TOPIC, { said, joined() {}, gone() {} });
  return {
    get proofs() {
      return proofs;
    },
  };
}

function startOwnProver(
  served: ServedProjections,
  { client, identity }: { readonly client: StoreClient; readonly identity: LogIdentity },
  { log, shutdown }: Session,
): Prover {
  const projections = projectionsOfLog('all', PROJECTIONS, identity);
  const records = new ProofRecords(client, identity.network);
  const view = (projection: string) => served.view(projection);
  const prover = new IntegrityProver({ client, identity, log, projections, view, records });
  prover.start();
  shutdown.add('integrity', () => prover.close());
  return prover;
}
