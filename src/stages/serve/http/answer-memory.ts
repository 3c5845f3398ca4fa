/** Dead letters that are tried again add rows to steps that are visible already: answers show them after so long. */
const LONGEST_MS = 60_000;

/**
 * Whole answers of one scope: what was asked before is answered from memory as long as the scope stands (a version of
 * the projection and the range of steps that is visible), at most a minute.
 * Those who ask the same thing at the same time wait for one answer. What was asked for last stays longest.
 */
export class AnswerMemory {
  readonly #mostBytes: number;
  readonly #answers = new Map<string, Buffer>();
  readonly #coming = new Map<string, Promise<Buffer>>();
  #scope = '';
  #bytes = 0;
  #since = 0;

  /** @param mostBytes of all answers together; 0 remembers none */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The answer to `question` in `scope`, made where nobody asked for it; what fails is not remembered. */
  async answer(scope: string, question: string, make: () => Promise<Buffer>): Promise<Buffer> {
    if (this.#mostBytes === 0) return make();
    if (scope !== this.#scope || Date.now() - this.#since > LONGEST_MS) this.#clear(scope);
    const known = this.#answers.get(question);
    if (known) {
      this.#answers.delete(question);
      this.#answers.set(question, known);
      return known;
    }
    return this.#coming.get(question) ?? this.#make(question, make);
  }

  #make(question: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const coming = make();
    this.#coming.set(question, coming);
    // What is not under way any more was cleared meanwhile.
    const settled = () => this.#coming.get(question) === coming && this.#coming.delete(question);
    coming.then((answer) => {
      if (settled()) this.#keep(question, answer);
    }, settled);
    return coming;
  }

  #keep(question: string, answer: Buffer): void {
    this.#answers.set(question, answer);
    this.#bytes += answer.length;
    for (const [oldest, { length }] of this.#answers) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#answers.delete(oldest);
      this.#bytes -= length;
    }
  }

  #clear(scope: string): void {
    this.#answers.clear();
    this.#coming.clear();
    this.#bytes = 0;
    this.#scope = scope;
    this.#since = Date.now();
  }
}
