import type { Peers } from './peers.ts';

type Said = readonly (readonly [name: string, count: number])[];

/** Counts by name, such as open streams of a client, and what the other processes of a group count of the same names. */
export class PeerCounts {
  readonly #own = new Map<string, number>();
  readonly #others = new Map<number, Map<string, number>>();
  readonly #topic: string;
  readonly #peers: Peers | undefined;

  /** Without peers, only this process counts. */
  constructor(topic: string, peers: Peers | undefined) {
    this.#topic = topic;
    this.#peers = peers;
    peers?.listen(topic, {
      said: (from, message) => this.#take(from, message as Said),
      joined: () => this.#say([...this.#own]),
      gone: (from) => this.#others.delete(from),
    });
  }

  /** Count of a name in all processes. Another process's change is known some milliseconds later. */
  get(name: string): number {
    let sum = this.#own.get(name) ?? 0;
    for (const counts of this.#others.values()) sum += counts.get(name) ?? 0;
    return sum;
  }

  /** Adds to the count of this process. */
  add(name: string, more: number): void {
    const count = (this.#own.get(name) ?? 0) + more;
    if (count > 0) this.#own.set(name, count);
    else this.#own.delete(name);
    this.#say([[name, count]]);
  }

  #say(counts: Said): void {
    if (counts.length > 0) this.#peers?.say(this.#topic, counts);
  }

  #take(from: number, said: Said): void {
    const counts = this.#others.get(from) ?? new Map<string, number>();
    this.#others.set(from, counts);
    for (const [name, count] of said)
      if (count > 0) counts.set(name, count);
      else counts.delete(name);
  }
}
