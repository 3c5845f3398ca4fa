import type {
  AccountFacts,
  ClassifiedTrace,
  ClassifierTrace,
  ClassifyTrace,
} from '../../api/classifier-port.ts';
import type { ServeLog } from '../../api/serve-context.ts';
import { classifyTrace } from '../../projections/actions/classify.ts';
import { LoadedFacts } from '../../projections/actions/model/contract-facts.ts';
import { recordedColumns } from '../../projections/actions/out/recorded-columns.ts';

/** The classifier of the API: rules that fail for a reason of ours are logged, and the rest is answered. */
export function traceClassifier(log: Pick<ServeLog, 'warn'>): ClassifyTrace {
  return (trace, known) => {
    try {
      return classified(trace, known, log);
    } catch (error) {
      log.warn({ error, trace: trace.traceId }, 'a trace could not be classified');
      return { state: 'failed', actions: [], missing: [] };
    }
  };
}

function classified(
  trace: ClassifierTrace,
  known: ReadonlyMap<string, AccountFacts | null>,
  log: Pick<ServeLog, 'warn'>,
): ClassifiedTrace {
  const facts = new LoadedFacts(known);
  const { actions, state, problems } = classifyTrace(trace, facts);
  const missing = [...facts.missing];
  // A round whose facts are not all there is repeated: what failed for want of them is no news.
  if (missing.length === 0 && problems.length > 0)
    log.warn({ problems, trace: trace.traceId }, 'rules for actions failed');
  return { state, actions: actions.map((one) => ({ ...one, columns: recordedColumns(one) })), missing };
}
