import { DataError } from '../errors/error-kinds.ts';
import { RegularFile } from './regular-file.ts';

/** Limits of lines. */
export interface LineLimits {
  /** Longest line, in characters. */
  readonly maxLength: number;
  readonly signal?: AbortSignal | undefined;
}

/** A line of a text is longer than its reader allows. */
export class LongLineError extends DataError {
  constructor(file: string, line: number, maxLength: number) {
    super(`${file}, line ${line}: longer than ${maxLength} characters`);
  }
}

/**
 * Lines of a UTF-8 text, without their ends (LF or CRLF).
 * @throws LongLineError, NotRegularFileError, and the errors of the system
 */
export async function* readTextLines(
  path: string,
  { maxLength, signal }: LineLimits,
): AsyncGenerator<string> {
  await using file = await RegularFile.open(path, signal);
  const decoder = new TextDecoder();
  let number = 0;
  let rest = '';
  for await (const piece of file.pieces()) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of [...lines, rest])
      if (line.length > maxLength) throw new LongLineError(path, number + 1, maxLength);
    for (const line of lines) {
      number++;
      yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
