import { setTimeout as sleep } from 'node:timers/promises';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

export type { Counter, Histogram } from 'prom-client';

/** Name and meaning of a metric, and the labels of its series: each label has a bounded set of values. */
export interface MetricFacts<Label extends string = string> {
  /** `tonhouse_…`, with its unit: `_total`, `_seconds`, `_bytes` (Prometheus naming conventions). */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** A gauge, and how those of several processes become one. */
export interface GaugeFacts<Label extends string = string> extends MetricFacts<Label> {
  /** `sum`: each process has a part, such as its connections. Default: `max`, of what all of them see. */
  readonly together?: 'sum' | 'max';
}

/** All metrics of a process at one moment. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** One series of a gauge at the moment of a scrape. */
export interface Sample<Label extends string = string> {
  readonly labels?: Readonly<Partial<Record<Label, string | number>>>;
  readonly value: number;
}

/** Null: not known at present, so that no series is shown. */
export type Samples<Label extends string = string> = number | null | readonly Sample<Label>[];

/** Upper bounds of histograms of durations: from an indexed look-up to the longest insert. */
const SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 60];

/** The event loop is looked at a hundred times a second: after so long there are values of it, milliseconds. */
const FIRST_POLLS_MS = 50;

/**
 * The metrics of one process, in Prometheus's text format. A name is one metric for all callers: counters and durations
 * are shared, of a gauge the last reader counts.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #failures: Counter<'metric'>;
  /** Null: process metrics are off. */
  #process: (() => Promise<void>) | null = null;

  constructor() {
    this.#failures = this.counter({
      name: 'tonhouse_metrics_read_failures_total',
      help: 'Gauges that could not be read for a scrape',
      labels: ['metric'],
    });
  }

  /** Media type of `text`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  counter<Label extends string>({ name, help, labels = [] }: MetricFacts<Label>): Counter<Label> {
    const known = this.#registry.getSingleMetric<Label>(name);
    return known instanceof Counter
      ? known
      : new Counter({ name, help, labelNames: [...labels], registers: [this.#registry] });
  }

  /** A histogram of durations in seconds. */
  durations<Label extends string>({ name, help, labels = [] }: MetricFacts<Label>): Histogram<Label> {
    const known = this.#registry.getSingleMetric<Label>(name);
    const labelNames = [...labels];
    return known instanceof Histogram
      ? known
      : new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.#registry] });
  }

  /** A gauge that is read at each scrape. A read that throws leaves it without series and is counted. */
  gauge<Label extends string>(
    { name, help, labels = [], together = 'max' }: GaugeFacts<Label>,
    read: () => Samples<Label> | Promise<Samples<Label>>,
  ): void {
    const collect = async () => {
      const samples = await Promise.try(read).catch(() => {
        this.#failures.inc({ metric: name });
        return null;
      });
      gauge.reset();
      // Without labels a reset leaves a zero, which would be a claim.
      if (samples === null) gauge.remove({});
      else if (typeof samples === 'number') gauge.set(samples);
      else
        for (const sample of samples) gauge.set({ ...sample.labels } as Record<Label, string>, sample.value);
    };
    this.#registry.removeSingleMetric(name);
    const facts = { name, help, labelNames: [...labels], aggregator: together };
    const gauge = new Gauge({ ...facts, collect, registers: [this.#registry] });
  }

  /**
   * Adds Node's process metrics: CPU time, memory, event loop, garbage collection (`process_…`, `nodejs_…`). The last
   * two start with the first scrape: a process without scrapes is not woken for them.
   */
  addProcess(): void {
    let counting: Promise<void> | null = null;
    this.#process ??= () => {
      counting ??= this.#countProcess();
      return counting;
    };
  }

  async #countProcess(): Promise<void> {
    collectDefaultMetrics({ register: this.#registry });
    // Two waits: if the event loop is blocked during the first one, the lag is recorded in the second.
    await sleep(FIRST_POLLS_MS);
    await sleep(FIRST_POLLS_MS);
  }

  /** All metrics at this moment, in Prometheus's format. */
  async text(): Promise<string> {
    await this.#process?.();
    return this.#registry.metrics();
  }

  /** The same to join them with those of other processes. */
  async read(): Promise<ProcessMetrics> {
    await this.#process?.();
    return this.#registry.getMetricsAsJSON();
  }

  /** Metrics of several processes as those of one: counts are summed. */
  static join(several: readonly ProcessMetrics[]): Promise<string> {
    return AggregatorRegistry.aggregate(several.map((metrics) => [...metrics])).metrics();
  }
}
