import type { MessageFilter } from '../entities/messages/filter.ts';
import type { TransactionRow } from '../entities/transactions/model.ts';
import { type MessageEndPlace, scanTransactionsByMessage } from '../entities/transactions/scan-by-message.ts';
import type { PlaceForm } from '../query/cursor.ts';
import type { Page } from '../query/page.ts';
import { type ReadScope, withVisible } from '../query/scope.ts';
import { nextCursor, parseScan, type ScanValues } from './scan.ts';

/** A page of transactions at the ends of messages, and `next_cursor`. */
export interface ByMessagePage {
  readonly rows: readonly TransactionRow[];
  readonly next: { readonly next_cursor?: string };
}

/** Request for a scan by messages. */
export interface ByMessageRequest {
  readonly form: PlaceForm<MessageEndPlace>;
  readonly values: ScanValues;
  readonly page: Page;
}

/** One page of a scan of transactions only by messages; null if the request has none. @throws HttpError 422, 503 */
export async function pageByMessage(
  scope: ReadScope,
  filter: MessageFilter,
  { form, values, page }: ByMessageRequest,
): Promise<ByMessagePage | null> {
  const scan = parseScan(form, values, page, scope.visible);
  if (!scan) return null;
  const scanned = withVisible(scope, scan.window ?? scope.visible);
  const found = await scanTransactionsByMessage(scanned, filter, page, scan.after);
  const places = found.map(({ place }) => place);
  return { rows: found.map(({ row }) => row), next: nextCursor(form, scan, page, places) };
}
