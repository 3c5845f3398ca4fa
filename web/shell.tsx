import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Health } from './api/types.ts';
import { useJson } from './api/use-answer.ts';
import { KeyField } from './parts/key-field.tsx';
import { Notice } from './parts/notice.tsx';
import { ImageBase } from './parts/token-image.tsx';
import { parseRoute, type Route, toHref } from './routes.ts';
import { AccountView } from './views/account/account.tsx';
import { BlockView } from './views/block.tsx';
import { HeadView } from './views/head.tsx';
import { LocalChainView } from './views/local-chain.tsx';
import { MessageView } from './views/message.tsx';
import { QuestionsView } from './views/questions/questions.tsx';
import { RankingsView } from './views/rankings/rankings.tsx';
import { SearchView } from './views/search.tsx';
import { TraceView } from './views/trace.tsx';
import { TransactionView } from './views/transaction.tsx';

/** Views by the first word of the address. */
const VIEWS: Readonly<Record<string, ComponentType<{ readonly values: readonly string[] }>>> = {
  head: HeadView,
  search: SearchView,
  block: BlockView,
  transaction: TransactionView,
  message: MessageView,
  trace: TraceView,
  account: AccountView,
  rankings: RankingsView,
  questions: QuestionsView,
  localnet: LocalChainView,
};

const MENU = [
  ['head', 'Head'],
  ['rankings', 'Rankings'],
  ['questions', 'Questions'],
] as const;
const LOCAL_MENU = ['localnet', 'Local chain'] as const;

/** The page: its menu, the search, and the view that the address names. */
export function Shell() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const View = Object.hasOwn(VIEWS, route.name) ? VIEWS[route.name] : undefined;
  const address = [route.name, ...route.values].join('/');
  const health = useJson<Health>('/healthz').answer;
  const isLocal = health?.controls !== undefined;
  const isFirst = useRef(true);
  // A screen reader continues with the new view, as after loading a page.
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus();
    document.title = `${route.values.at(-1) ?? 'Head'} – tonhouse`;
  }, [address]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <div class="inner">
          <a class="brand" href="#/">
            tonhouse
          </a>
          <Search text={route.name === 'search' ? (route.values[0] ?? '') : ''} />
          <nav aria-label="Views">
            {[...MENU, ...(isLocal ? [LOCAL_MENU] : [])].map(([name, title]) => (
              <a key={name} href={toHref(name)} aria-current={route.name === name ? 'page' : undefined}>
                {title}
              </a>
            ))}
            <a href="/api/v3/index.html">API</a>
          </nav>
        </div>
      </header>
      <main ref={main} tabIndex={-1}>
        <ImageBase.Provider value={health?.images ?? null}>
          {View ? <View key={address} values={route.values} /> : <Notice>The page has no such view.</Notice>}
        </ImageBase.Provider>
      </main>
      <footer>
        <KeyField />
      </footer>
    </>
  );
}

function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return parseRoute(hash);
}

function Search({ text }: { readonly text: string }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget as HTMLFormElement).get('text');
    location.hash = toHref('search', String(value ?? '').trim());
  };
  return (
    <search>
      <form onSubmit={submit}>
        <input
          key={text}
          name="text"
          type="search"
          aria-label="Search"
          placeholder="Address, domain, hash or block"
          defaultValue={text}
          autocomplete="off"
          spellcheck={false}
          maxLength={300}
        />
      </form>
    </search>
  );
}
