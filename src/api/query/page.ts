/** Page of a sorted list: `offset` rows skipped, then at most `limit`. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly descending: boolean;
}

/** `DESC` or `ASC`. */
export function direction(page: Pick<Page, 'descending'>): 'ASC' | 'DESC' {
  return page.descending ? 'DESC' : 'ASC';
}
