import type {
  ClassifiedTrace,
  ClassifierTrace,
  ClassifyTrace,
  KnownFacts,
} from '../../api/classifier-port.ts';
import type { ServeLog } from '../../api/serve-context.ts';
import { type ClassifyOptions, classifyTrace } from '../../projections/actions/classify.ts';
import { addPools } from '../../projections/actions/find-pools.ts';
import { factsBySort } from '../../projections/actions/model/contract-facts.ts';
import { recordedColumns } from '../../projections/actions/out/recorded-columns.ts';
import type { FactSort } from '../../ton/contracts/account-facts.ts';

/** The classifier of the API: rules that fail for a reason of ours are logged, and the rest is answered. */
export function traceClassifier(log: Pick<ServeLog, 'warn'>, options: ClassifyOptions = {}): ClassifyTrace {
  return (trace, known) => {
    try {
      return classified(trace, known, options, log);
    } catch (error) {
      log.warn({ error, trace: trace.traceId }, 'a trace could not be classified');
      return { state: 'failed', actions: [], missing: { account: [], data: [], pool: [] } };
    }
  };
}

function classified(
  trace: ClassifierTrace,
  known: KnownFacts,
  options: ClassifyOptions,
  log: Pick<ServeLog, 'warn'>,
): ClassifiedTrace {
  const missing: Record<FactSort, Set<string>> = { account: new Set(), data: new Set(), pool: new Set() };
  const facts = factsBySort((sort, address) => {
    const found = known[sort].get(address);
    if (found === undefined) missing[sort].add(address);
    return found ?? null;
  });
  const { actions, state, problems } = classifyTrace(trace, addPools(trace, facts), options);
  // A round with missing facts is repeated: its failures are not reported.
  const isLast = Object.values(missing).every(({ size }) => size === 0);
  if (isLast && problems.length > 0) log.warn({ problems, trace: trace.traceId }, 'rules for actions failed');
  return {
    state,
    actions: actions.map((one) => ({ ...one, columns: recordedColumns(one) })),
    missing: { account: [...missing.account], data: [...missing.data], pool: [...missing.pool] },
  };
}
