const NAME = 'tonhouse-api-key';

/** The API key that requests carry; empty: none. It is forgotten with the tab. */
export function readKey(): string {
  return sessionStorage.getItem(NAME) ?? '';
}

/** Keeps a key until the tab is closed. An empty one removes it. */
export function keepKey(key: string): void {
  if (key === '') sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, key);
}
