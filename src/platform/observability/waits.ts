/** Stages of this process that wait for something outside it, for health routes. */
export class Waits {
  readonly #waits = new Set<{ readonly text: string }>();

  /** Adds a wait, e.g. `capture waits for …`; the result ends it. */
  begin(text: string): () => void {
    const wait = { text };
    this.#waits.add(wait);
    return () => this.#waits.delete(wait);
  }

  /** The oldest wait; null if no stage waits. */
  get oldest(): string | null {
    const [first] = this.#waits;
    return first?.text ?? null;
  }
}
