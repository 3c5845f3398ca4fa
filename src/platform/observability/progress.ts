import { Presets, SingleBar } from 'cli-progress';
import { printable } from './printable.ts';
import { printNotice } from './terminal.ts';

/** Progress of long work: a bar on a terminal, a plain line every few seconds elsewhere, both on stderr. */
export interface Progress {
  /** `done` of `total` (null: open end) and a few words. */
  update(done: number, total: number | null, note: string): void;
  /** Shows the last state. A second call does nothing. */
  stop(): void;
}

const LINE_EVERY_MS = 3_000;

export function createProgress(title: string, terminal = process.stderr.isTTY === true): Progress {
  const progress = (terminal ? barProgress : lineProgress)(printable(title));
  return {
    update: (done, total, note) => progress.update(done, total, printable(note)),
    stop: () => progress.stop(),
  };
}

function barProgress(title: string): Progress {
  const bar = new SingleBar(
    {
      format: `${title} [{bar}] {percentage}% {value}/{total} {note}`,
      hideCursor: true,
      stream: process.stderr,
    },
    Presets.rect,
  );
  let started = false;
  return {
    update(done, total, note) {
      const end = total ?? Math.max(done, 1);
      if (started) {
        bar.setTotal(end);
        bar.update(done, { note });
      } else bar.start(end, done, { note });
      started = true;
    },
    stop() {
      if (started) bar.stop();
      started = false;
    },
  };
}

function lineProgress(title: string): Progress {
  let last = Number.NEGATIVE_INFINITY;
  let pending: string | null = null;
  return {
    update(done, total, note) {
      pending = `${title}: ${done}${total === null ? '' : `/${total}`} ${note}`;
      if (performance.now() - last < LINE_EVERY_MS) return;
      last = performance.now();
      printNotice(`${pending}\n`);
      pending = null;
    },
    stop() {
      if (pending) printNotice(`${pending}\n`);
      pending = null;
    },
  };
}
