import { useState } from 'preact/hooks';
import { keepKey, readKey } from '../api/key.ts';

/** The API key of the page's requests: servers with limits ask for one. */
export function KeyField() {
  const [key, setKey] = useState(readKey());
  const keep = (event: SubmitEvent) => {
    event.preventDefault();
    keepKey(key.trim());
    location.reload();
  };
  return (
    <details class="key">
      <summary>API key{readKey() === '' ? '' : ' (set)'}</summary>
      <form class="ask" onSubmit={keep}>
        <label>
          Key, kept until this tab is closed
          <input
            type="password"
            value={key}
            autocomplete="off"
            onInput={({ currentTarget: { value } }) => setKey(value)}
          />
        </label>
        <button type="submit">Use it</button>
      </form>
    </details>
  );
}
