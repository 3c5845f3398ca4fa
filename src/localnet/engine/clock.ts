/** Clock of blocks: a block's time is never before the previous block's time. */
export interface ChainClock {
  /** Unix time that the next block would have now. */
  peek(previous: number): number;
  /** Unix time of the next block, which is made. */
  next(previous: number): number;
  /** Lets time jump ahead. */
  warp(seconds: number): void;
}

/** A clock that differs by less from the monotonic one was not set, milliseconds. */
const SET_BACK_MS = 2_000;

/** Clocks of the machine, milliseconds. */
export interface MachineClocks {
  /** Unix time. */
  wall(): number;
  /** Never goes back. */
  monotonic(): number;
}

const MACHINE: MachineClocks = { wall: () => Date.now(), monotonic: () => performance.now() };

/**
 * The machine's clock, ahead by what was warped. A chain that is ahead already keeps its lead, and so does one whose
 * machine's clock is set back: the time of blocks goes on.
 */
export class SystemClock implements ChainClock {
  private readonly machine: MachineClocks;
  /** Seconds. */
  private offset: number;
  /** Milliseconds by which the wall clock was before the monotonic one. */
  private lead: number;

  constructor(last: number, machine: MachineClocks = MACHINE) {
    this.machine = machine;
    this.offset = Math.max(0, last - Math.floor(machine.wall() / 1000));
    this.lead = machine.wall() - machine.monotonic();
  }

  peek(previous: number): number {
    const wall = this.machine.wall();
    const lead = wall - this.machine.monotonic();
    // Set forward, or after a sleep of the machine, the chain follows; set back, it goes on from where it is.
    if (lead < this.lead - SET_BACK_MS) this.offset += Math.round((this.lead - lead) / 1000);
    this.lead = lead;
    return Math.max(previous, Math.floor(wall / 1000) + this.offset);
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
