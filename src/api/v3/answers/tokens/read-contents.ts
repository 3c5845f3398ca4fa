import { type ContentRecord, contentRecord, contentsStatement } from '../../../metadata/content-records.ts';
import type { OffChainContent } from '../../../metadata/off-chain-content.ts';
import { parts } from '../../../query/keys.ts';
import type { ReadScope } from '../../../query/scope.ts';

/** Contents of links: null for an unreadable one. Unfetched links are absent. */
export type LinkedContents = ReadonlyMap<string, OffChainContent | null>;

const NOTHING: LinkedContents = new Map();

/**
 * Fetched contents of token links; missing and old ones are fetched after this answer. One query, more only for
 * thousands of links; none if the server keeps no metadata.
 */
export async function readContents(
  { context, query }: Pick<ReadScope, 'context' | 'query'>,
  links: readonly string[],
): Promise<LinkedContents> {
  const { metadata, network } = context;
  if (!metadata || links.length === 0) return NOTHING;
  const distinct = [...new Set(links)];
  const rows = await Promise.all(
    parts(distinct).map((some) => query(contentsStatement(network.label, some))),
  );
  const records = new Map(rows.flat().map((row) => [String(row[0]), contentRecord(row)]));
  const now = Date.now() / 1000;
  metadata.wanted(distinct.filter((link) => (records.get(link)?.nextAt ?? 0) <= now));
  return new Map([...records].map(([link, record]) => [link, parseContent(record)]));
}

function parseContent({ content }: ContentRecord): OffChainContent | null {
  return content === '' ? null : (JSON.parse(content) as OffChainContent);
}
