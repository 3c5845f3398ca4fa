/** How many transactions of traffic are due, at a rate that may change. */
export class TrafficPace {
  /** Transactions per second that are generated. */
  private perSecond: number;
  private last = 0;

  constructor(perSecond: number) {
    this.perSecond = perSecond;
  }

  get rate(): number {
    return this.perSecond;
  }

  set rate(perSecond: number) {
    this.perSecond = perSecond;
    this.restart();
  }

  /** Time counts from now on. */
  restart(): void {
    this.last = performance.now();
  }

  /** Transactions for the time since the last call, or for so many seconds if a step takes them; at most `room`. */
  due(secondsPerBlock: number | null, room: number): number {
    const now = performance.now();
    const seconds = secondsPerBlock ?? (now - this.last) / 1000;
    this.last = now;
    return Math.min(this.perSecond * seconds, room);
  }
}
