import { type RecordedTrace, toFacts, toTrace } from '../../scripts/conformance/trace-fixture.ts';
import { classifyTrace } from '../../src/projections/actions/classify.ts';
import { type Round, timed } from './recorded.ts';

/** Classifies every trace once, from new objects; returns the number of actions. */
export function classifyRound(recorded: readonly RecordedTrace[]): Round<number> {
  const jobs = recorded.map((one) => ({ trace: toTrace(one), facts: toFacts(one) }));
  return timed(() => {
    let actions = 0;
    for (const { trace, facts } of jobs) actions += classifyTrace(trace, facts).actions.length;
    return actions;
  });
}
