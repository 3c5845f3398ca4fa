import { joinRanges, type PositionRange, subtractRanges } from '../engine/ranges/position-ranges.ts';
import { isTooLarge } from '../platform/clickhouse/store-errors.ts';
import { allLookUps, type TableLookUp } from '../tables/look-ups/look-ups.ts';
import { ConfirmationWatch } from './confirmations.ts';
import { describeFile, type FollowedVersion, readFill } from './followed-version.ts';
import type { IndexThread } from './index-thread-client.ts';
import type { IndexUse } from './index-use.ts';
import { IndexedVersion } from './indexed-version.ts';
import { type IndexFile, openReader } from './sqlite-index.ts';
import type { Progress } from './store-port.ts';

/** With less than this, the next chunk has twice as many steps. */
const SMALL_CHUNK_BYTES = 4 * 1024 ** 2;
const MAX_CHUNK_STEPS = 16_384;
const FIRST_CHUNK_STEPS = 64;
/** A step that is too large is read in this many pieces, and in as many times more if they are too large. */
const PIECES = 16;
const MAX_PIECES = PIECES ** 4;
/** Interval of looks for steps that were confirmed again, while no new step is visible, milliseconds. */
export const LOOK_MS = 10_000;
/** Reading and writing so many bytes of rows costs about as much as a statement that finds little. */
const BYTES_OF_STATEMENT = 100_000;

/** What a version is filled with. */
export interface VersionParts {
  readonly version: FollowedVersion;
  readonly thread: IndexThread;
  /** Called when `coverage` has changed, or was found to be as before. */
  readonly changed: () => void;
  readonly use: IndexUse;
}

/** Rows of one version by key, filled from its confirmed steps. */
export class VersionIndex extends IndexedVersion {
  readonly #version: FollowedVersion;
  readonly #thread: IndexThread;
  readonly #tableLookUps: readonly TableLookUp[];
  readonly #watch: ConfirmationWatch;
  readonly #changed: () => void;
  #looked: { readonly visible: PositionRange; readonly at: number; readonly seenAt: number } | null = null;
  #steps = FIRST_CHUNK_STEPS;
  #spent = 0;

  private constructor(
    { version, thread, changed, use }: VersionParts,
    { lookUps, ...file }: IndexFile,
    { covered, seenAt }: Progress,
  ) {
    const { client, database } = version;
    const reader = openReader({ lookUps, ...file });
    super({ database, lookUps, reader, coverage: { covered, lowest: -1 }, use });
    this.#version = version;
    this.#thread = thread;
    this.#changed = changed;
    this.#tableLookUps = allLookUps(version.targets, version.tables);
    this.#watch = new ConfirmationWatch(client, database, seenAt);
  }

  /** Opens the file of a version; an unusable one is made again. */
  static async open(parts: VersionParts): Promise<VersionIndex> {
    const file = await describeFile(parts.version);
    return new VersionIndex(parts, file, await parts.thread.open(file));
  }

  /** What looking and filling have cost so far, in statements. */
  get spent(): number {
    return this.#spent;
  }

  /** What filling one step costs at least, in statements. */
  get minCost(): number {
    return 1 + this.#tableLookUps.length;
  }

  /** Milliseconds since the begin of the last look; infinite before the first one. */
  get lookedMs(): number {
    return this.#looked ? performance.now() - this.#looked.at : Number.POSITIVE_INFINITY;
  }

  /** True if rows of some of these steps are missing. */
  lacks(visible: PositionRange): boolean {
    return subtractRanges([visible], this.covered).length > 0;
  }

  /**
   * Reads one chunk of the visible steps that it lacks, the newest first. Returns true if none is left.
   * @throws StoreError, IndexFileError, or what reading the file threw
   */
  async fill(visible: PositionRange): Promise<boolean> {
    await this.look(visible);
    const [newest] = subtractRanges([visible], this.covered).slice(-1);
    if (!newest) return true;
    const first = Math.max(newest.first, newest.last - this.#steps + 1);
    await this.#fillChunk({ first, last: newest.last });
    return !this.lacks(visible);
  }

  async close(): Promise<void> {
    this.end();
    await this.#thread.close(this.#version.path);
  }

  /**
   * Looks for steps that were confirmed again, before the rows of new ones are read, unless it was done recently.
   * @throws StoreError, or what reading the file threw
   */
  async look(visible: PositionRange): Promise<void> {
    if (this.isBroken) throw this.failure;
    const looked = this.#looked;
    const isSame = looked?.visible.first === visible.first && looked.visible.last === visible.last;
    if (looked && isSame && performance.now() - looked.at < LOOK_MS) return;
    const at = performance.now();
    this.#spent++;
    const { rewritten, seenAt, lowest } = await this.#watch.look(this.covered);
    this.#looked = { visible, at, seenAt };
    this.#cover(subtractRanges(this.covered, rewritten), lowest);
  }

  async #fillChunk(chunk: PositionRange): Promise<void> {
    try {
      const answers = await this.#readAnswers(chunk, 1, 0);
      const covered = joinRanges([...this.covered, chunk]);
      const { path } = this.#version;
      await this.#thread.commit({ path, replaces: chunk, answers, progress: this.#progress(covered) });
      this.#cover(covered);
      const bytes = answers.reduce((sum, [, { length }]) => sum + length, 0);
      const isSmall = bytes < SMALL_CHUNK_BYTES && chunk.last - chunk.first + 1 === this.#steps;
      if (isSmall) this.#steps = Math.min(MAX_CHUNK_STEPS, this.#steps * 2);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      if (chunk.last === chunk.first) await this.#fillLargeStep(chunk, PIECES);
      else this.#steps = Math.max(1, Math.floor((chunk.last - chunk.first + 1) / 4));
    }
  }

  /** Reads a step in pieces. The step counts as covered after the last one. */
  async #fillLargeStep(step: PositionRange, pieces: number): Promise<void> {
    try {
      for (let piece = 0; piece < pieces; piece++) {
        const answers = await this.#readAnswers(step, pieces, piece);
        const covered = joinRanges([...this.covered, step]);
        const isLast = piece === pieces - 1;
        const progress = isLast ? this.#progress(covered) : null;
        const { path } = this.#version;
        await this.#thread.commit({ path, replaces: piece === 0 ? step : null, answers, progress });
        if (isLast) this.#cover(covered);
      }
    } catch (error) {
      if (!isTooLarge(error) || pieces >= MAX_PIECES) throw error;
      await this.#fillLargeStep(step, pieces * PIECES);
    }
  }

  #cover(covered: readonly PositionRange[], lowest = this.coverage.lowest): void {
    this.coverage = { covered, lowest };
    this.#changed();
  }

  /** Steps that were confirmed again by then are not covered, so what was seen is followed. */
  #progress(covered: readonly PositionRange[]): Progress {
    return { covered, seenAt: this.#looked?.seenAt ?? 0 };
  }

  #readAnswers(
    steps: PositionRange,
    pieces: number,
    piece: number,
  ): Promise<readonly (readonly [lookUp: string, bytes: Uint8Array])[]> {
    const read = async (one: TableLookUp) => {
      this.#spent++;
      const rows = await readFill(this.#version, one, { steps, pieces, piece });
      this.#spent += rows.length / BYTES_OF_STATEMENT;
      return [one.lookUp.name, rows] as const;
    };
    return Promise.all(this.#tableLookUps.map(read));
  }
}
