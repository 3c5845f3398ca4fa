import { RecentTime } from './recent-time.ts';
import { UsualTime } from './usual-time.ts';

/** Place of a call in the queue. */
export interface Place {
  /** Client of the call: the one that used the least thread time lately is next. */
  readonly client: string;
  /** Contract of the call: among one client's calls, the contract with the least used time is next. */
  readonly group: string;
  /** Method of the contract. */
  readonly work: string;
  /** Bytes that it holds while it waits. */
  readonly bytes: number;
}

export interface QueueLimits {
  readonly maxCalls: number;
  readonly maxCallsOfClient: number;
  readonly maxBytes: number;
}

interface Line<T> {
  count: number;
  /** In turn: the first is next, and goes to the end. */
  readonly groups: Map<string, Waiting<T>[]>;
}

interface Waiting<T> {
  readonly item: T;
  readonly place: Place;
}

/**
 * A bounded fair queue: by client, then by contract, then by age. Fairness counts used time, not calls: one call may
 * cost as much as a hundred others. When full, the newest call of the client with the most calls is dropped, so a flood
 * drops its own calls.
 */
export class FairQueue<T> {
  private readonly limits: QueueLimits;
  private readonly lines = new Map<string, Line<T>>();
  private readonly places = new Map<T, Waiting<T>>();
  private readonly used: RecentTime;
  private readonly usual = new UsualTime();
  private bytes = 0;

  constructor(limits: QueueLimits, used: RecentTime = new RecentTime()) {
    this.limits = limits;
    this.used = used;
  }

  get size(): number {
    return this.places.size;
  }

  /** Adds a call. Returns those that found no room, which may be this one. */
  add(item: T, place: Place): T[] {
    const { maxCalls, maxCallsOfClient, maxBytes } = this.limits;
    this.put({ item, place });
    const gone: T[] = [];
    const line = this.lines.get(place.client)!;
    if (line.count > maxCallsOfClient) gone.push(this.dropNewest(line));
    while (this.size > maxCalls || (this.bytes > maxBytes && this.size > 0))
      gone.push(this.dropNewest(largest(this.lines.values(), ({ count }) => count)));
    return gone;
  }

  /** The next whose turn it is and that may start; null: none. */
  take(mayStart: (place: Place) => boolean): T | null {
    for (const [client, line] of this.byUse(this.lines, (name) => name)) {
      for (const [group, calls] of this.byUse(line.groups, (name) => joined(client, name))) {
        const next = calls[0]!;
        if (!mayStart(next.place)) continue;
        this.remove(next.item);
        this.lines.delete(client);
        if (line.count > 0) this.lines.set(client, line);
        line.groups.delete(group);
        if (calls.length > 0) line.groups.set(group, calls);
        return next.item;
      }
    }
    return null;
  }

  /** Records the run time of a taken call; `needed`: its whole time, if it was cut off. */
  spent({ client, group, work }: Place, ms: number, needed = ms): void {
    this.used.add(client, ms);
    this.used.add(joined(client, group), ms);
    this.usual.add(joined(group, work), needed);
    this.usual.add(group, needed);
  }

  /** Usual time of a contract's method for all clients, milliseconds; null without recent calls. */
  getUsualTime({ group, work }: Place): number | null {
    return this.usual.of(joined(group, work));
  }

  /** The same of all methods of a contract. */
  usualOfGroup({ group }: Place): number | null {
    return this.usual.of(group);
  }

  /** Removes a call, wherever it is; does nothing for an unknown one. */
  remove(item: T): void {
    const waiting = this.places.get(item);
    if (!waiting) return;
    const { client, group, bytes } = waiting.place;
    const line = this.lines.get(client)!;
    const calls = line.groups.get(group)!;
    calls.splice(calls.indexOf(waiting), 1);
    if (calls.length === 0) line.groups.delete(group);
    if (--line.count === 0) this.lines.delete(client);
    this.places.delete(item);
    this.bytes -= bytes;
  }

  /** All calls, which are in it no longer. */
  drain(): T[] {
    const items = [...this.places.keys()];
    for (const item of items) this.remove(item);
    return items;
  }

  /** Those that used least first; among equals those whose turn was longest ago. */
  private byUse<L>(lines: ReadonlyMap<string, L>, key: (name: string) => string): [string, L][] {
    const entries = [...lines].map((entry) => ({ entry, used: this.used.of(key(entry[0])) }));
    return entries.sort((a, b) => a.used - b.used).map(({ entry }) => entry);
  }

  private put(waiting: Waiting<T>): void {
    const { client, group, bytes } = waiting.place;
    const line = this.lines.get(client) ?? { count: 0, groups: new Map() };
    this.lines.set(client, line);
    const calls = line.groups.get(group) ?? [];
    line.groups.set(group, calls);
    calls.push(waiting);
    line.count++;
    this.places.set(waiting.item, waiting);
    this.bytes += bytes;
  }

  private dropNewest(line: Line<T>): T {
    const calls = largest(line.groups.values(), ({ length }) => length);
    const { item } = calls[calls.length - 1]!;
    this.remove(item);
    return item;
  }
}

function joined(first: string, second: string): string {
  return `${first} ${second}`;
}

function largest<L>(lines: Iterable<L>, size: (line: L) => number): L {
  let most: L | null = null;
  for (const line of lines) if (most === null || size(line) > size(most)) most = line;
  return most!;
}
