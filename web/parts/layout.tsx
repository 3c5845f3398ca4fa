import type { ComponentChildren } from 'preact';
import { readKey } from '../api/key.ts';
import { getText, toCurl } from '../api/request.ts';
import { toPrintable } from '../format/text.ts';
import { Copy } from './text.tsx';

export interface PanelProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
}

export function Panel({ title, children, aside }: PanelProps) {
  return (
    <section class="panel">
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A name and its value; other rows are left out. */
export type Field = readonly [name: string, value: ComponentChildren] | null | false | '' | undefined;

export function Fields({ rows }: { readonly rows: readonly Field[] }) {
  return (
    <dl class="fields">
      {rows.map((row) =>
        row ? (
          <div key={row[0]}>
            <dt>{row[0]}</dt>
            <dd>{row[1]}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

export interface TableProps {
  /** What the table lists, for screen readers. */
  readonly label: string;
  /** Heads; those that begin with `#` are of numbers. */
  readonly heads: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ComponentChildren[] }[];
}

export function Table({ label, heads, rows }: TableProps) {
  const classes = heads.map((head) => (head.startsWith('#') ? 'right' : ''));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls wide tables sideways.
    <section class="scroll" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head} scope="col" class={classes[at] ?? ''}>
                {head.replace('#', '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, at) => (
                <td key={heads[at] ?? at} class={classes[at] ?? ''}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export interface DownloadProps {
  readonly url: string;
  /** Name of the file. */
  readonly name: string;
  readonly what: string;
}

/** A link to an answer. With a key, the page requests it: a link cannot carry the key, and an address must not have it. */
export function Download({ url, name, what }: DownloadProps) {
  const save = async (event: MouseEvent) => {
    if (readKey() === '') return;
    event.preventDefault();
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([await getText(url)]));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <a href={url} download={name} onClick={save}>
      {what}
    </a>
  );
}

/** The requests that a view was made from, as JSON and as curl. */
export function Sources({ urls }: { readonly urls: readonly string[] }) {
  return (
    <details class="sources">
      <summary>Where this comes from</summary>
      <ul>
        {urls.map((url) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noreferrer">
              as JSON
            </a>
            <code>{toCurl(url, location.origin)}</code>
            <Copy text={toCurl(url, location.origin)} what="as curl" />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Characters of JSON that are shown; the request has all. */
const MAX_JSON = 200_000;

/** A value as indented JSON. */
export function Json({ value }: { readonly value: unknown }) {
  return <LongText label="JSON" text={toPrintable(JSON.stringify(value, null, 2), MAX_JSON)} />;
}

/** Text that scrolls in its own box. */
export function LongText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls long text.
    <section class="long" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}
