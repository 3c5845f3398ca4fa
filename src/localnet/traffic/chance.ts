import { sha256 } from '../../ton/hash/sha256.ts';

/** Numbers that look random and are the same from the same seed (xorshift32). */
export class Chance {
  private state: number;

  constructor(seed: string) {
    const digest = sha256(new TextEncoder().encode(seed));
    this.state = new DataView(digest.buffer, digest.byteOffset).getInt32(0) || 1;
  }

  /** 0 ≤ n < below. */
  below(below: number): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x;
    return (x >>> 0) % below;
  }
}
