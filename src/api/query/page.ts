import { type Sql, sql, u32 } from './sql.ts';

/** Page of a sorted list: `offset` rows skipped, then at most `limit`. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly descending: boolean;
}

/**
 * Logical time of about fifty masterchain blocks. The orders of lt and time differ by no more, and a trace of an account ends at
 * most this far after its transaction there.
 */
export const LT_SLACK = 50_000_000n;

/** `DESC` or `ASC`. */
export function direction(page: Pick<Page, 'descending'>): 'ASC' | 'DESC' {
  return page.descending ? 'DESC' : 'ASC';
}

const ASC = sql`ASC`;
const DESC = sql`DESC`;

/** The same as a fragment. */
export function way({ descending }: Pick<Page, 'descending'>): Sql {
  return descending ? DESC : ASC;
}

/** LIMIT and OFFSET of a page. */
export function toLimit({ limit, offset }: Pick<Page, 'limit' | 'offset'>): Sql {
  return sql`LIMIT ${u32(limit)} OFFSET ${u32(offset)}`;
}
