import type { FileReading } from '../../platform/files/list-files.ts';
import type { Session } from '../session.ts';

/** How a session reads the files of an operator's path: until a stop signal, with a warning for everything skipped. */
export function fileReading({ shutdown, log }: Pick<Session, 'shutdown' | 'log'>): FileReading {
  return {
    signal: shutdown.signal,
    onSkip: (path, reason) => log.warn({ path }, `skipped a file: ${reason}`),
  };
}
