import { join, resolve } from 'node:path';
import { writeRawMoveNote } from '../../../engine/status/raw-move-note.ts';
import { isBucket, type MoveWatch, moveSealed } from '../../../log/sqlite/sealing/move-sealed.ts';
import { readS3Location, type S3Settings } from '../../../platform/object-store/s3-location.ts';

/** What was moved. */
export interface MovedFiles {
  /** Path of the folder, or address of the bucket. */
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
}

/** What happens during a move. */
export interface RawMoveWatch {
  readonly signal: AbortSignal;
  /** Called with the files that are moved, and a few words. Default: nobody looks. */
  readonly onProgress?: (done: number, total: number, note: string) => void;
}

/** Moves sealed files of a log. */
export interface RawMover {
  /** Checks the address and the login of a bucket, without a request. @throws S3LocationError */
  check(to: string): void;
  /** Moves all of them to a folder, to `s3://bucket/prefix`, or back to the `log`. `status` shows how it ended. */
  move(to: string, watch: RawMoveWatch): Promise<MovedFiles>;
}

/** The mover of a data directory. `settings`: login of the buckets. */
export function rawMover(directory: string, settings: S3Settings): RawMover {
  const home = join(directory, 'log', 'sealed');
  const check = (to: string) => {
    if (isBucket(to)) readS3Location(to, settings, 'the place of sealed files');
  };
  const move: RawMover['move'] = async (to, { signal, onProgress = () => {} }) => {
    const folder = toPlace(to, home);
    let [files, bytes, total] = [0, 0, 0];
    const watch: MoveWatch = {
      signal,
      objectStore: settings,
      onPlan(count) {
        total = count;
      },
      onBytes: (name, done, of) => onProgress(files, total, `${name} ${Math.floor((100 * done) / of)} %`),
      onStep({ step, name, bytes: size }) {
        if (step !== 'linked') return;
        files++;
        bytes += size;
        onProgress(files, total, name);
      },
    };
    try {
      await moveSealed(home, folder, watch);
      writeRawMoveNote(directory, { to: folder, error: null });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) writeRawMoveNote(directory, { to: folder, error: reason });
      throw error;
    }
    return { folder, files, bytes };
  };
  return { check, move };
}

/** The place that is named. */
function toPlace(to: string, home: string): string {
  if (to === 'log') return home;
  return isBucket(to) ? to.replace(/\/+$/, '') : resolve(to);
}
