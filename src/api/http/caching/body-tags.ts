import { hash } from 'node:crypto';

/**
 * Entity tags of answers. Bytes shared by several requests, from the response cache or a shared answer, are hashed
 * once: a page of 1,000 rows takes milliseconds, and as many requests as there are connections may get it in one turn
 * of the event loop.
 */
export class BodyTags {
  readonly #digest: (body: string | Uint8Array) => string;
  readonly #tags = new WeakMap<Uint8Array, string>();

  constructor(digest = (body: string | Uint8Array) => hash('sha1', body, 'base64url')) {
    this.#digest = digest;
  }

  /** The weak tag of a body; its bytes must not change afterwards. */
  of(body: string | Uint8Array): string {
    if (typeof body === 'string') return this.#make(body);
    const known = this.#tags.get(body);
    if (known !== undefined) return known;
    const tag = this.#make(body);
    this.#tags.set(body, tag);
    return tag;
  }

  #make(body: string | Uint8Array): string {
    return `W/"${this.#digest(body)}"`;
  }
}
