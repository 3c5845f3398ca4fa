import { UnavailableError } from '../errors/error-kinds.ts';
import type { Metrics } from '../observability/metrics/metrics.ts';
import type { FromMember, ToMember } from './group-messages.ts';

/** All metrics of a group arrive in this time, milliseconds. */
const METRICS_MS = 5_000;

/** What a member does with one topic. */
export interface TopicListener {
  /** Another member said something. */
  readonly said: (from: number, message: unknown) => void;
  /** A member has joined: say again what it has to know. */
  readonly joined: () => void;
  /** A member has ended. */
  readonly gone: (from: number) => void;
}

/** The process that started the group sent no metrics in time. */
export class GroupSilentError extends UnavailableError {
  constructor() {
    super(`no metrics of the other processes in ${METRICS_MS} ms`);
  }
}

/** The other processes of a group, as one of them sees them. Messages arrive in the order in which they were sent. */
export class Peers {
  readonly #listeners = new Map<string, TopicListener>();
  readonly #asked = new Map<number, (text: string) => void>();
  readonly #metrics: Metrics;
  #asks = 0;

  /** Of this process, which a process group started. `metrics`: those of this process. */
  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    process.on('message', (message: ToMember) => this.#receive(message));
    // The channel alone does not keep a process running that has ended its work.
    process.channel?.unref();
  }

  /** This process answers requests. */
  ready(): void {
    send({ kind: 'ready' });
  }

  /** Sends a message to all members that listen to a topic. */
  say(topic: string, message: unknown): void {
    send({ kind: 'say', topic, message });
  }

  /** Listens to a topic. There is one listener for each. */
  listen(topic: string, listener: TopicListener): void {
    this.#listeners.set(topic, listener);
    send({ kind: 'joins', topic });
  }

  /** The metrics of all members in Prometheus's format. @throws GroupSilentError */
  async readMetrics(): Promise<string> {
    const id = this.#asks++;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const timer = setTimeout(() => reject(new GroupSilentError()), METRICS_MS);
    this.#asked.set(id, resolve);
    send({ kind: 'asks metrics', id });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#asked.delete(id);
    }
  }

  #receive(message: ToMember): void {
    if (message.kind === 'said') this.#listeners.get(message.topic)?.said(message.from, message.message);
    else if (message.kind === 'joined') this.#listeners.get(message.topic)?.joined();
    else if (message.kind === 'gone') for (const one of this.#listeners.values()) one.gone(message.from);
    else if (message.kind === 'all metrics') this.#asked.get(message.id)?.(message.text);
    else if (message.kind === 'collect') void this.#sendMetrics(message.id);
  }

  async #sendMetrics(id: number): Promise<void> {
    send({ kind: 'metrics', id, metrics: await this.#metrics.read() });
  }
}

/** The process that started the group may be gone: this one ends then, too. */
function send(message: FromMember): void {
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}
