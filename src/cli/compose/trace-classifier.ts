import type { ClassifiedTrace, ClassifierTrace, ClassifyTrace } from '../../api/classifier-port.ts';
import type { ServeLog } from '../../api/serve-context.ts';
import { type ClassifyOptions, classifyTrace } from '../../projections/actions/classify.ts';
import { LoadedFacts } from '../../projections/actions/model/contract-facts.ts';
import { recordedColumns } from '../../projections/actions/out/recorded-columns.ts';
import { withPoolsOf } from '../../projections/actions/pools-of-trace.ts';

/** The classifier of the API: rules that fail for a reason of ours are logged, and the rest is answered. */
export function traceClassifier(log: Pick<ServeLog, 'warn'>, options: ClassifyOptions = {}): ClassifyTrace {
  return (trace, known) => {
    try {
      return classified(trace, new LoadedFacts(known), options, log);
    } catch (error) {
      log.warn({ error, trace: trace.traceId }, 'a trace could not be classified');
      return { state: 'failed', actions: [], missing: [] };
    }
  };
}

function classified(
  trace: ClassifierTrace,
  facts: LoadedFacts,
  options: ClassifyOptions,
  log: Pick<ServeLog, 'warn'>,
): ClassifiedTrace {
  const { actions, state, problems } = classifyTrace(trace, withPoolsOf(trace, facts), options);
  const missing = [...facts.missing];
  // A round whose facts are not all there is repeated: what failed for want of them is no news.
  if (missing.length === 0 && problems.length > 0)
    log.warn({ problems, trace: trace.traceId }, 'rules for actions failed');
  return { state, actions: actions.map((one) => ({ ...one, columns: recordedColumns(one) })), missing };
}
