import { type FileReading, reasonNotRead, reasonOfChange } from '../../platform/files/list-files.ts';
import { UnreadableError } from '../unreadable-error.ts';
import { type Classified, classify, hasBagName } from './classify.ts';
import { readBag } from './read-bag.ts';

/** `bytes`: the whole bag of a block or state; at least the first four bytes of anything else. `size`: of the file. */
export type ScannedFile = Classified & {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly size: number;
};

/** Reads files one after the other and names the kind of each. Files that are gone, or no files any more, are skipped. */
export async function* scanFiles(
  files: readonly string[],
  { signal, onSkip }: FileReading = {},
): AsyncGenerator<ScannedFile> {
  for (const file of files) {
    const read = await tryRead(file, signal);
    if (typeof read === 'string') onSkip?.(file, read);
    else if (read instanceof UnreadableError)
      yield { ...unreadable(read), file, bytes: new Uint8Array(), size: 0 };
    else yield { ...classify(read.bytes, file), file, ...read };
  }
}

/** A file that cannot be read may be a block only if its name says so. */
function unreadable(error: UnreadableError): Classified {
  if (hasBagName(error.origin)) return { kind: 'bad', error };
  return { kind: 'other', reason: error.message };
}

/** The bytes, the reason why the file is skipped, or why it cannot be read: it may be another user's, or too large. */
async function tryRead(file: string, signal: AbortSignal | undefined) {
  try {
    return await readBag(file, signal);
  } catch (error) {
    const reason = reasonOfChange(error);
    if (reason !== null) return reason;
    if (reasonNotRead(error) === null) throw error;
    return new UnreadableError(file, error);
  }
}
