import { useEffect, useState } from 'preact/hooks';
import { ask, type RequestError } from '../api/request.ts';
import { Failure, Notice } from '../parts/notice.tsx';
import { ChainText } from '../parts/text.tsx';
import { blockHref, toHref } from '../routes.ts';
import { readSearch } from './search-input.ts';

type Outcome =
  | { readonly kind: 'searching' }
  | { readonly kind: 'nothing'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: RequestError };

/** Opens what a text means: `#/search/TEXT`. Says what was expected if it means nothing. */
export function SearchView({ values: [text = ''] }: { readonly values: readonly string[] }) {
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'searching' });
  useEffect(() => {
    let isCurrent = true;
    setOutcome({ kind: 'searching' });
    find(text).then(
      (found) => {
        if (!isCurrent) return;
        if ('href' in found) location.replace(found.href);
        else setOutcome({ kind: 'nothing', reason: found.reason });
      },
      (error: RequestError) => isCurrent && setOutcome({ kind: 'failed', error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return (
    <>
      <h1>Search</h1>
      <p>
        <ChainText text={text} length={200} />
      </p>
      {outcome.kind === 'searching' && <Notice>Searching…</Notice>}
      {outcome.kind === 'nothing' && (
        <p class="notice bad" role="alert">
          {outcome.reason}
        </p>
      )}
      {outcome.kind === 'failed' && <Failure error={outcome.error} />}
    </>
  );
}

type Found = { readonly href: string } | { readonly reason: string };

/** @throws RequestError */
async function find(text: string): Promise<Found> {
  const meaning = readSearch(text);
  if (meaning.kind === 'place') return { href: meaning.href };
  if (meaning.kind === 'nothing') return { reason: meaning.reason };
  return meaning.kind === 'domain' ? findDomain(meaning.domain) : findHash(meaning.hash);
}

/** The wallet of a domain, otherwise its NFT. */
async function findDomain(domain: string): Promise<Found> {
  const { records } = await ask('/api/v3/dns/records', { domain });
  const record = records[0];
  if (!record) return { reason: `The index has no domain ${domain}.` };
  return { href: toHref('account', record.dns_wallet ?? record.nft_item_address) };
}

/** One request after the other: a client without a key has few. */
async function findHash(hash: string): Promise<Found> {
  const { transactions } = await ask('/api/v3/transactions', { hash, limit: 1 });
  if (transactions[0]) return { href: toHref('transaction', hash) };
  const { messages } = await ask('/api/v3/messages', { msg_hash: hash, limit: 1 });
  if (messages[0]) return { href: toHref('message', hash) };
  for (const name of ['root_hash', 'file_hash']) {
    const { blocks } = await ask('/api/v3/blocks', { [name]: hash, limit: 1 });
    const block = blocks[0];
    if (block) return { href: blockHref(block as Parameters<typeof blockHref>[0]) };
  }
  return { reason: `The index has no transaction, message or block with the hash ${hash}.` };
}
