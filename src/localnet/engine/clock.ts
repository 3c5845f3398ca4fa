/** Clock of blocks: a block's time is never before the previous block's time. */
export interface ChainClock {
  /** Unix time that the next block would have now. */
  peek(previous: number): number;
  /** Unix time of the next block, which is made. */
  next(previous: number): number;
  /** Lets time jump ahead. */
  warp(seconds: number): void;
}

/** The machine's clock, ahead by what was warped. A chain that is ahead already keeps its lead. */
export class SystemClock implements ChainClock {
  private offset = 0;

  constructor(last: number) {
    this.offset = Math.max(0, last - Math.floor(Date.now() / 1000));
  }

  peek(previous: number): number {
    return Math.max(previous, Math.floor(Date.now() / 1000) + this.offset);
  }

  next(previous: number): number {
    return this.peek(previous);
  }

  warp(seconds: number): void {
    this.offset += seconds;
  }
}

/** A clock that only blocks move: two runs see the same times. */
export class StepClock implements ChainClock {
  private readonly secondsPerBlock: number;
  private ahead = 0;

  constructor(secondsPerBlock: number) {
    this.secondsPerBlock = secondsPerBlock;
  }

  peek(previous: number): number {
    return previous + this.secondsPerBlock + this.ahead;
  }

  next(previous: number): number {
    const time = this.peek(previous);
    this.ahead = 0;
    return time;
  }

  warp(seconds: number): void {
    this.ahead += seconds;
  }
}
