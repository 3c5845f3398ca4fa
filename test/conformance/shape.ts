/**
 * Shapes of JSON values: which keys there are, always or at times, and of which kinds their values are. Shapes of
 * several samples merge, so that a set of recorded answers can be compared with a set of ours.
 */
export interface Shape {
  /** Samples merged. */
  count: number;
  /** Kinds of the value: null, boolean, number, array, object, or the form of a string. */
  readonly kinds: Set<string>;
  /** Shapes of an object's values by key; a map (see `MapPaths`) has all its values under `*`. */
  readonly keys: Map<string, Shape>;
  /** Samples that were objects. */
  objects: number;
  /** Merged shape of all items of an array. */
  items: Shape | null;
}

/** Paths whose objects are maps: their keys are data. */
export type MapPaths = (path: string) => boolean;

export function newShape(): Shape {
  return { count: 0, kinds: new Set(), keys: new Map(), objects: 0, items: null };
}

/** Adds a sample to a shape. */
export function addSample(shape: Shape, value: unknown, isMap: MapPaths, path = ''): void {
  shape.count++;
  shape.kinds.add(kindOf(value));
  if (Array.isArray(value)) {
    shape.items ??= newShape();
    for (const item of value) addSample(shape.items, item, isMap, `${path}[]`);
  } else if (typeof value === 'object' && value !== null) {
    shape.objects++;
    for (const [name, inner] of Object.entries(value)) {
      const key = isMap(path) ? '*' : name;
      const known = shape.keys.get(key) ?? newShape();
      shape.keys.set(key, known);
      addSample(known, inner, isMap, `${path}.${key}`);
    }
  }
}

/** The kind of a value; strings by what they look like, so that hex for base64 is a difference. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'string') return typeof value;
  if (/^-?\d+$/.test(value)) return 'string of digits';
  if (/^te6cc[A-Za-z0-9+/]+=*$/.test(value)) return 'string: bag of cells';
  if (/^[A-Za-z0-9+/]{43}=$/.test(value)) return 'string: hash';
  if (/^-?\d+:[0-9A-F]{64}$/.test(value)) return 'string: address';
  if (/^0x[0-9a-f]{8}$/.test(value)) return 'string: opcode';
  if (/^[A-Za-z0-9_-]{48}$/.test(value)) return 'string: friendly address';
  return 'string';
}

/**
 * Differences, one line each:
 * - `PATH missing`: recorded answers have the key, ours never;
 * - `PATH new`: ours have it, recorded ones never;
 * - `PATH not always there`: every recorded object has the key, ours do not all;
 * - `PATH is KIND`: ours have a kind that no recorded value has.
 */
export function differences(recorded: Shape, ours: Shape, path = ''): string[] {
  const found: string[] = [];
  for (const kind of ours.kinds) if (!recorded.kinds.has(kind)) found.push(`${path} is ${kind}`);
  for (const [name, shape] of recorded.keys) {
    const own = ours.keys.get(name);
    if (!own) {
      if (ours.objects > 0) found.push(`${path}.${name} missing`);
      continue;
    }
    const always = name !== '*' && shape.count === recorded.objects;
    if (always && own.count < ours.objects) found.push(`${path}.${name} not always there`);
    found.push(...differences(shape, own, `${path}.${name}`));
  }
  for (const name of ours.keys.keys()) {
    if (!recorded.keys.has(name) && recorded.objects > 0) found.push(`${path}.${name} new`);
  }
  if (recorded.items && ours.items) found.push(...differences(recorded.items, ours.items, `${path}[]`));
  return found;
}
