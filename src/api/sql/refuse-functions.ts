import { SqlError } from './sql-error.ts';

/** Functions that read files of the server. ClickHouse has no right or setting for them (decision 15). */
const WORD = /\b(file|catboostEvaluate)\b/i;
/** An escape that can stand for a letter in a quoted name. */
const ESCAPE = /\\x([0-9a-f]{2})/gi;

/** The parts of a request that ClickHouse reads as SQL. */
export interface SqlTexts {
  readonly query: URLSearchParams;
  readonly body: Buffer;
  /** `Content-Encoding` of the body. */
  readonly encoding: string | undefined;
}

/**
 * Refuses a statement that may call a function which reads files. Names of functions have too many forms to be found for
 * certain (quoted, applied to columns, given to another function), so the word is refused wherever it is, also in a text or a
 * comment. A compressed body cannot be examined.
 * @throws SqlError 400, 403
 */
export function refuseFunctions({ query, body, encoding }: SqlTexts): void {
  const isCompressed = query.has('decompress') || (encoding !== undefined && encoding !== 'identity');
  if (isCompressed && body.length > 0)
    throw new SqlError(400, 36, 'BAD_ARGUMENTS', 'the body of a statement must not be compressed');
  // ClickHouse joins the parameter and the body.
  const parameter = query.getAll('query').join('');
  const sent = body.toString('latin1');
  const values = [...query].filter(([name]) => name.startsWith('param_')).map(([, value]) => value);
  for (const text of [`${parameter}${sent}`, `${parameter}\n${sent}`, ...values]) {
    const [word] = WORD.exec(unescaped(text)) ?? [];
    if (word !== undefined)
      throw new SqlError(
        403,
        497,
        'ACCESS_DENIED',
        `the word ${word} is not allowed in statements of analysts, since a function of this name reads files of the server. In a text, write it in two parts: concat('fi', 'le')`,
      );
  }
}

function unescaped(text: string): string {
  return text.replaceAll(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
