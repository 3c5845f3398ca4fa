import type { LogWriter, NewStep } from '../../port.ts';
import type { CallGate } from '../call-gate.ts';

/** A writer whose calls end with the bus. */
export class GatedWriter implements LogWriter {
  readonly #writer: LogWriter;
  readonly #gate: CallGate;

  constructor(writer: LogWriter, gate: CallGate) {
    this.#writer = writer;
    this.#gate = gate;
  }

  get lease() {
    return this.#writer.lease;
  }

  tail() {
    return this.#gate.run('tail', () => this.#writer.tail());
  }

  append(steps: readonly NewStep[]) {
    return this.#gate.run('append', () => this.#writer.append(steps));
  }

  release() {
    return this.#gate.run('release', () => this.#writer.release());
  }
}
