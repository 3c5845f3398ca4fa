/** Count of a name in its window. */
export interface WindowCount {
  readonly count: number;
  /** Time until the window ends, ms. */
  readonly leftMs: number;
}
