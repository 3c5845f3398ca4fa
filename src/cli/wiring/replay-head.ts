import { setTimeout as sleep } from 'node:timers/promises';
import { DECODE } from '../../../pipelines/decode.ts';
import type { Bus } from '../../platform/bus/port.ts';
import { runDecode } from '../../stages/decode/decode-stage.ts';
import { groupOf } from './base-code.ts';
import { type DecodeParts, type DecodeSettings, decodeOptions } from './decode.ts';

const LOOK_MS = 50;

/** Follows the head with a version that is not served yet, until closed. */
export class HeadFollower {
  readonly #bus: Bus;
  readonly #version: number;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  private constructor(bus: Bus, version: number, run: (signal: AbortSignal) => Promise<void>) {
    this.#bus = bus;
    this.#version = version;
    this.#running = run(this.#stop.signal);
    // Met by whoever waits for it.
    this.#running.catch(() => {});
  }

  static async start(
    parts: DecodeParts,
    version: number,
    settings: DecodeSettings,
    signal: AbortSignal,
  ): Promise<HeadFollower> {
    const options = await decodeOptions({ ...parts, version, signal }, settings, { onBatch() {} });
    return new HeadFollower(parts.bus, version, (stop) =>
      runDecode(options, AbortSignal.any([signal, stop])),
    );
  }

  /** Resolves when everything is in the version that the log holds now. */
  async catchUp(signal: AbortSignal): Promise<void> {
    await Promise.race([this.#reached(signal), this.#running]);
    signal.throwIfAborted();
  }

  async #reached(signal: AbortSignal): Promise<void> {
    const ends = (await this.#bus.bounds(DECODE.topic)).filter(({ next }) => next > 0);
    const group = groupOf(this.#version);
    while (!signal.aborted) {
      const lanes = (await this.#bus.lag()).filter(
        (lag) => lag.topic === DECODE.topic && lag.group === group,
      );
      const committed = new Map(lanes.map((lag) => [lag.lane, lag.committed]));
      if (ends.every(({ lane, next }) => (committed.get(lane) ?? 0) >= next)) return;
      await sleep(LOOK_MS);
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}
