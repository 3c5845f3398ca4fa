import { LRUCache } from 'lru-cache';
import type { ReadScope } from '../query/scope.ts';
import type { ProjectionName } from '../version-vector.ts';
import type { Steps } from './step-changes.ts';

/** Lists of changes that are kept: clients that resume after a restart ask for the same steps. */
const MAX_CACHED = 16;

interface CachedSteps<C> extends Steps {
  readonly database: string;
  readonly found: Promise<readonly C[]>;
}

/** Lists of what steps changed, as one projection has it: each step is read once, ahead of its events or with them. */
export class CachedChanges<C extends { readonly seqno: number }, R extends ProjectionName> {
  readonly #of: R;
  readonly #read: (scope: ReadScope<R>, steps: Steps) => Promise<readonly C[]>;
  readonly #cached = new LRUCache<string, CachedSteps<C>>({ max: MAX_CACHED });

  constructor(of: R, read: (scope: ReadScope<R>, steps: Steps) => Promise<readonly C[]>) {
    this.#of = of;
    this.#read = read;
  }

  /** The changes of steps, by step. */
  async read(scope: ReadScope<R>, steps: Steps): Promise<readonly C[]> {
    const lists: Promise<readonly C[]>[] = [];
    for (let first = steps.first; first <= steps.last; ) {
      const { last, found } = this.#list(scope, { first, last: steps.last });
      const own = { first, last: Math.min(last, steps.last) };
      lists.push(found.then((changes) => changes.filter(({ seqno }) => isWithin(seqno, own))));
      first = last + 1;
    }
    return (await Promise.all(lists)).flat();
  }

  /** A list that contains the first of some steps, and its following ones. */
  #list(scope: ReadScope<R>, steps: Steps): CachedSteps<C> {
    const database = scope.databases[this.#of];
    for (const cached of this.#cached.values())
      if (cached.database === database && isWithin(steps.first, cached)) return cached;
    const key = `${database} ${steps.first}`;
    const list = { ...steps, database, found: this.#read(scope, steps) };
    this.#cached.set(key, list);
    list.found.catch(() => this.#cached.delete(key));
    return list;
  }
}

function isWithin(seqno: number, { first, last }: Steps): boolean {
  return first <= seqno && seqno <= last;
}
