import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Bucket } from '../../../platform/object-store/bucket.ts';
import { ObjectMissingError } from '../../../platform/object-store/object-store-error.ts';
import type { S3Settings } from '../../../platform/object-store/s3-location.ts';
import type { RequestLimits } from '../../../platform/object-store/signed-request.ts';
import { SegmentMissingError } from '../../errors.ts';
import { type FramePlace, getSum } from '../frame.ts';
import { SealedFileError } from '../sealed-file-error.ts';
import { FramesNeededError } from './frames-needed-error.ts';
import { groupFrames } from './group-frames.ts';
import { splitAddress } from './remote-stub.ts';

/** How sealed files in buckets are read. */
export interface RemoteReading {
  readonly settings: S3Settings;
  /** Bytes of frames that are kept in memory. */
  readonly cacheBytes: number;
  readonly limits?: RequestLimits;
}

/** A sealed file in a bucket. */
interface RemoteFile {
  readonly path: string;
  readonly address: string;
}

/** Frames of one piece of work: they stay until it is done, also if the cache is smaller. An error is thrown when its frame is read. */
type Pinned = Map<string, Uint8Array | Error>;

/** Attempts to get bytes with the right checksum. */
const ATTEMPTS = 3;
/** Requests at once. */
const MAX_REQUESTS = 8;

const toKey = (address: string, at: number): string => `${address}#${at}`;

/**
 * Frames of sealed files in buckets, in a bounded cache. Readers are synchronous and use only what is here; `run` fetches
 * what they need, and repeats their work. So the thread of the log never waits for the network.
 */
export class RemoteFrames {
  readonly #reading: RemoteReading;
  readonly #cache: LRUCache<string, Uint8Array>;
  readonly #buckets = new Map<string, Bucket>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #inTurn = pLimit(MAX_REQUESTS);
  #pinned: Pinned = new Map();
  /** Called if an object is gone: its file may have been moved since it was opened. */
  onMissing: (path: string) => void = () => {};

  constructor(reading: RemoteReading) {
    this.#reading = reading;
    this.#cache = new LRUCache({
      maxSize: Math.max(1, reading.cacheBytes),
      sizeCalculation: (bytes) => bytes.length,
    });
  }

  /** Ends the requests under way. */
  close(): void {
    this.#stop.abort();
  }

  /**
   * Does work that reads sealed files: again and again, until all frames that it needs are here. The work changes nothing
   * before it has read.
   * @throws what the work throws, and ObjectStoreError, ObjectRefusedError, S3LocationError
   */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    const pinned: Pinned = new Map();
    const reopened = new Set<string>();
    for (;;) {
      try {
        return await this.#runOnce(pinned, work);
      } catch (error) {
        if (!(error instanceof FramesNeededError)) throw error;
        await this.#fetchNeeded(error, pinned, reopened);
      }
    }
  }

  #runOnce<T>(pinned: Pinned, work: () => T | Promise<T>): T | Promise<T> {
    const before = this.#pinned;
    this.#pinned = pinned;
    try {
      return work();
    } finally {
      // Work that goes on later reads within a run of its own.
      this.#pinned = before;
    }
  }

  /** Bytes of a frame that `require` has found. */
  take(address: string, at: number): Uint8Array {
    const key = toKey(address, at);
    const found = this.#pinned.get(key) ?? this.#cache.get(key);
    if (found instanceof Uint8Array) return found;
    throw found ?? new Error(`${key} was not announced`);
  }

  /**
   * Checks that frames are here, and fetches later ones in the background.
   * @throws FramesNeededError, or why a frame cannot be had
   */
  require(file: RemoteFile, needed: readonly FramePlace[], later: readonly FramePlace[]): void {
    const isHere = ({ at }: FramePlace) => {
      const key = toKey(file.address, at);
      const found = this.#pinned.get(key) ?? this.#cache.get(key);
      if (found instanceof Error) throw found;
      return found !== undefined;
    };
    const missing = needed.filter((frame) => !isHere(frame));
    this.#fetchLater(file, later);
    if (missing.length > 0) throw new FramesNeededError(file.path, file.address, missing);
  }

  /** Reads on in larger requests: only if half of the frames are not here, and no more than half of the cache. */
  #fetchLater(file: RemoteFile, frames: readonly FramePlace[]): void {
    let bytes = 0;
    const later = frames.filter(({ length }) => {
      bytes += length;
      return bytes <= this.#reading.cacheBytes / 2;
    });
    const absent = later.filter(({ at }) => {
      const key = toKey(file.address, at);
      return !this.#cache.has(key) && !this.#underWay.has(key);
    });
    if (absent.length * 2 <= later.length) return;
    for (const group of groupFrames(absent)) this.#fetch(file.address, group, null).catch(() => {});
  }

  async #fetchNeeded(
    { path, address, frames }: FramesNeededError,
    pinned: Pinned,
    reopened: Set<string>,
  ): Promise<void> {
    // Frames that are fetched already are not asked for twice.
    await Promise.allSettled(frames.map(({ at }) => this.#underWay.get(toKey(address, at))));
    const absent: FramePlace[] = [];
    for (const frame of frames) {
      const known = this.#cache.get(toKey(address, frame.at));
      if (known) pinned.set(toKey(address, frame.at), known);
      else absent.push(frame);
    }
    try {
      await Promise.all(groupFrames(absent).map((group) => this.#fetchWhole(path, address, group, pinned)));
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      this.onMissing(path);
      const gone = new SegmentMissingError(`${path}, which is ${address},`);
      if (reopened.has(address)) for (const { at } of absent) pinned.set(toKey(address, at), gone);
      reopened.add(address);
    }
  }

  /** Fetches frames until their checksums are right; a frame that stays wrong is an error for who reads it. */
  async #fetchWhole(
    path: string,
    address: string,
    frames: readonly FramePlace[],
    pinned: Pinned,
  ): Promise<void> {
    let left = frames;
    for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++)
      for (const group of groupFrames(left)) {
        await this.#fetch(address, group, pinned);
        left = left.filter(({ at }) => !(pinned.get(toKey(address, at)) instanceof Uint8Array));
      }
    for (const { at, length, sum } of left) {
      const expected = `${length} bytes at ${at} of ${address} with SHA-256 ${sum}`;
      pinned.set(toKey(address, at), new SealedFileError(path, expected, 'other bytes'));
    }
  }

  /** Fetches adjacent frames by one request. Those with the right checksum get into the cache. */
  #fetch(address: string, frames: readonly FramePlace[], pinned: Pinned | null): Promise<void> {
    const fetching = this.#request(address, frames, pinned).finally(() => {
      for (const { at } of frames) this.#underWay.delete(toKey(address, at));
    });
    for (const { at } of frames) this.#underWay.set(toKey(address, at), fetching);
    return fetching;
  }

  async #request(address: string, frames: readonly FramePlace[], pinned: Pinned | null): Promise<void> {
    const { folder, name } = splitAddress(address);
    const first = frames[0]?.at ?? 0;
    const length = frames.reduce((sum, frame) => sum + frame.length, 0);
    const bucket = this.#bucket(folder);
    const bytes = await this.#inTurn(() => bucket.read(name, first, length, this.#stop.signal));
    for (const frame of frames) {
      // A copy: a frame does not keep the others in memory.
      const own = new Uint8Array(bytes.subarray(frame.at - first, frame.at - first + frame.length));
      if (getSum(own) !== frame.sum) continue;
      this.#cache.set(toKey(address, frame.at), own);
      pinned?.set(toKey(address, frame.at), own);
    }
  }

  #bucket(folder: string): Bucket {
    const known = this.#buckets.get(folder);
    if (known) return known;
    const { settings, limits } = this.#reading;
    const bucket = Bucket.open(folder, settings, 'sealed files', limits);
    this.#buckets.set(folder, bucket);
    return bucket;
  }
}
