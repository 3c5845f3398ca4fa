import { useState } from 'preact/hooks';
import type { Described } from '../api/types.ts';
import { parseDecimals, toDecimal } from '../format/amount.ts';
import { shorten, toPrintable } from '../format/text.ts';
import { toDuration, toUtc } from '../format/time.ts';
import { toHref } from '../routes.ts';

/** Text that somebody wrote on the chain: shown as text, isolated from the direction of its surroundings. */
export function ChainText({ text, length }: { readonly text: string; readonly length?: number }) {
  return <bdi class="chain-text">{toPrintable(text, length)}</bdi>;
}

const SHEETS = 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1';
const DONE = 'M3 8.5 6.5 12 13 4.5';

/** Puts a value on the clipboard. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    // Browsers have no clipboard for pages without TLS beyond loopback.
    await navigator.clipboard?.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" class="copy" aria-label={`Copy ${what}`} title={`Copy ${what}`} onClick={copy}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={isCopied ? DONE : SHEETS} />
      </svg>
    </button>
  );
}

export interface HashProps {
  readonly hash: string | null | undefined;
  /** The view that shows it; without one it is no link. */
  readonly to?: 'transaction' | 'message' | 'trace';
  readonly isFull?: boolean;
}

/** What fields have that have no hash. */
const NO_HASH = `${'A'.repeat(43)}=`;

export function Hash({ hash, to, isFull = false }: HashProps) {
  if (!hash || hash === NO_HASH) return <span class="none">none</span>;
  const text = <span class="mono">{isFull ? hash : shorten(hash)}</span>;
  return (
    <span class="hash">
      {to ? (
        <a href={toHref(to, hash)} title={hash}>
          {text}
        </a>
      ) : (
        <span title={hash}>{text}</span>
      )}
      {isFull && <Copy text={hash} what="hash" />}
    </span>
  );
}

export interface AddressProps {
  readonly address: string | null | undefined;
  readonly names?: Described | null;
  readonly isFull?: boolean;
}

/** An account: its name if it has one, otherwise its user-friendly address. */
export function Address({ address, names, isFull = false }: AddressProps) {
  if (!address) return <span class="none">none</span>;
  const known = names?.address_book[address];
  const friendly = known?.user_friendly ?? address;
  return (
    <span class="hash">
      <a href={toHref('account', friendly)} title={friendly}>
        {known?.domain ? (
          <ChainText text={known.domain} length={60} />
        ) : (
          <span class="mono">{isFull ? friendly : shorten(friendly)}</span>
        )}
      </a>
      {isFull && <Copy text={friendly} what="address" />}
    </span>
  );
}

export interface TonProps {
  readonly value: string | null | undefined;
  /** In a column of TON: the decimal points are below each other, and the unit is in the head. */
  readonly isAligned?: boolean;
}

/** An amount of nanotons. */
export function Ton({ value, isAligned = false }: TonProps) {
  if (value === null || value === undefined) return <span class="none">none</span>;
  const text = toDecimal(value, 9);
  return (
    <span class="number">
      {text}
      {isAligned ? (
        <span class="padding" data-digits={missingDigits(text)} aria-hidden="true" />
      ) : (
        <small> TON</small>
      )}
    </span>
  );
}

/** Amounts of extra currencies by their ids; none of most accounts. */
type CurrencyAmounts = Readonly<Record<string, unknown>> | null | undefined;

/** True if there is an amount of an extra currency. */
export function hasCurrencies(values: CurrencyAmounts): boolean {
  return Object.keys(values ?? {}).length > 0;
}

/** Amounts of extra currencies: their decimals are not known. */
export function Currencies({ values }: { readonly values: CurrencyAmounts }) {
  return (
    <>
      {Object.entries(values ?? {})
        .map(([id, amount]) => `${amount} of currency ${id}`)
        .join(', ')}
    </>
  );
}

/** Invisible digits that complete nine decimals: styles show them, so that they are not copied. */
function missingDigits(text: string): string {
  const [, part = ''] = text.split('.');
  return `${part === '' ? '.' : ''}${'0'.repeat(9 - part.length)}`;
}

export interface TokensProps {
  readonly value: string;
  readonly jetton: string | null | undefined;
  readonly names: Described;
}

/** An amount of a jetton with its symbol. */
export function Tokens({ value, jetton, names }: TokensProps) {
  const token = jetton ? names.metadata?.[jetton]?.token_info[0] : undefined;
  const { symbol, extra } = (token ?? {}) as {
    readonly symbol?: string;
    readonly extra?: { readonly decimals?: unknown };
  };
  return (
    <span class="number">
      {toDecimal(value, parseDecimals(extra?.decimals))}{' '}
      <small>{symbol ? <ChainText text={symbol} length={20} /> : 'of the jetton'}</small>
    </span>
  );
}

/** A time, and its age when the view was drawn. */
export function When({
  unix,
  isShort = false,
}: {
  readonly unix: number | string;
  readonly isShort?: boolean;
}) {
  const seconds = Number(unix);
  const age = Date.now() / 1_000 - seconds;
  const text = `${toUtc(seconds)} UTC`;
  const ago = age < 0 ? `in ${toDuration(-age)}` : `${toDuration(age)} ago`;
  return (
    <time dateTime={`${toUtc(seconds).replace(' ', 'T')}Z`} title={text}>
      {isShort ? ago : `${text} (${ago})`}
    </time>
  );
}

export function Badge({
  kind,
  children,
}: {
  readonly kind: 'good' | 'bad' | 'plain';
  readonly children: string;
}) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
