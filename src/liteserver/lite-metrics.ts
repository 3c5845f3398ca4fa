import type { Metrics } from '../platform/observability/metrics/metrics.ts';
import type { LiteServerOptions } from './lite-server.ts';

/** Counts answers and measures their time, by function. */
export function countAnswers(metrics: Metrics): NonNullable<LiteServerOptions['onAnswer']> {
  const answers = metrics.counter({
    name: 'tonhouse_liteserver_answers_total',
    help: 'Answers of the lite server',
    labels: ['function', 'result'],
  });
  const seconds = metrics.durations({
    name: 'tonhouse_liteserver_answer_seconds',
    help: 'Time of answers of the lite server, with the wait that the client asked for',
    labels: ['function'],
  });
  return (name, milliseconds, isError) => {
    answers.inc({ function: name, result: isError ? 'error' : 'ok' });
    seconds.observe({ function: name }, milliseconds / 1000);
  };
}
