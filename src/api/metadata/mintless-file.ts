import { UsageError } from '../../platform/errors/error-kinds.ts';
import { reasonNotRead } from '../../platform/files/list-files.ts';
import { LongLineError, readTextLines } from '../../platform/files/text-lines.ts';
import { accountFromText, rawAddress } from '../query/account-id.ts';
import type { MintlessAmount } from './mintless-records.ts';

/** Coins have 120 bits. */
const MAX = 2n ** 120n;
const MAX_TIME = 2 ** 32;
/** Rows that are written at a time. */
const PAGE = 10_000;
const SHOWN = 100;
/** The longest line that can be right has some 200 characters. */
const MAX_LINE = 1_000;

/** A line of a file of amounts is none, or the file cannot be read. */
class MintlessFileError extends UsageError {}

/**
 * Amounts of a file in pages: lines `OWNER,AMOUNT[,START[,END]]`, times in Unix seconds or empty; empty lines and those that begin
 * with # are left out. @throws MintlessFileError with the number of the line
 */
export async function* readAmounts(
  file: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly MintlessAmount[]> {
  let page: MintlessAmount[] = [];
  let number = 0;
  try {
    for await (const line of readTextLines(file, { maxLength: MAX_LINE, signal })) {
      number++;
      if (line.trim() === '' || line.startsWith('#')) continue;
      const amount = parseAmount(line);
      if (typeof amount === 'string')
        throw new MintlessFileError(
          `${file}, line ${number}: ${amount}: ${JSON.stringify(line.slice(0, SHOWN))}`,
        );
      page.push(amount);
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
  } catch (error) {
    if (error instanceof LongLineError) throw new MintlessFileError(error.message, { cause: error });
    const reason = reasonNotRead(error);
    if (reason === null) throw error;
    throw new MintlessFileError(`${file} cannot be read: ${reason}`, { cause: error });
  }
  yield page;
}

/** The amount of a line, or what is wrong with it. */
function parseAmount(line: string): MintlessAmount | string {
  const cells = line.split(',').map((cell) => cell.trim());
  const [owner = '', digits = '', start = '', end = ''] = cells;
  if (cells.length < 2 || cells.length > 4) return 'a line is OWNER,AMOUNT[,START[,END]]';
  const account = accountFromText(owner);
  if (!account) return 'the owner is no address';
  if (!/^\d{1,37}$/.test(digits) || BigInt(digits) >= MAX)
    return 'the amount is no decimal number of 120 bits';
  const [startFrom, expireAt] = [parseTime(start), parseTime(end)];
  if (startFrom === undefined || expireAt === undefined) return 'times are Unix seconds, or empty';
  return { owner: rawAddress(account), amount: BigInt(digits), startFrom, expireAt };
}

/** undefined if it is not a time, null if there is none. */
function parseTime(text: string): number | null | undefined {
  if (text === '') return null;
  return /^\d{1,10}$/.test(text) && Number(text) < MAX_TIME ? Number(text) : undefined;
}
