/** A place on the page: the name of a view, and the values after it. The address is `#/NAME/VALUE/…`. */
export interface Route {
  readonly name: string;
  readonly values: readonly string[];
}

/** Parses the hash of an address. An empty one is the head. */
export function parseRoute(hash: string): Route {
  const [name = '', ...values] = hash.replace(/^#\/?/, '').split('/').map(decode);
  return { name: name === '' ? 'head' : name, values };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a view. */
export function toHref(name: string, ...values: readonly (string | number)[]): string {
  return `#/${[name, ...values].map((value) => encodeURIComponent(value)).join('/')}`;
}

export function blockHref(block: {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
}) {
  return toHref('block', block.workchain, block.shard, block.seqno);
}
