import { METHOD_NAMES } from 'virtual:facts';
import { useState } from 'preact/hooks';
import { postJson, type RequestError } from '../../api/request.ts';
import { Json, Panel } from '../../parts/layout.tsx';
import { Failure, Notice } from '../../parts/notice.tsx';
import { Badge } from '../../parts/text.tsx';

interface Result {
  readonly gas_used: number;
  readonly exit_code: number;
  readonly stack: readonly { readonly type: string; readonly value: unknown }[];
}

const BASE64 = /^te6cc[\w+/=-]+$/;

/**
 * A form that runs a get method on the newest state. `methods`: the numbers of those that the code has, whose known names are
 * offered; null if the code does not show them.
 */
export function GetMethods({
  address,
  methods,
}: {
  readonly address: string;
  readonly methods: readonly number[] | null;
}) {
  const [result, setResult] = useState<Result | null>(null);
  const [error, setError] = useState<RequestError | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setRunning(true);
    try {
      const method = String(form.get('method'));
      const stack = toStack(String(form.get('arguments')));
      setResult(await postJson<Result>('/api/v3/runGetMethod', { address, method, stack }));
      setError(null);
    } catch (failure) {
      setResult(null);
      setError(failure as RequestError);
    }
    setRunning(false);
  };
  return (
    <Panel title="Run a get method">
      <form class="ask" onSubmit={run}>
        <label>
          Method
          <input
            type="text"
            name="method"
            list="methods"
            required
            pattern="[A-Za-z_]\w*"
            title="the name of a get method"
            spellcheck={false}
            autocomplete="off"
          />
        </label>
        <datalist id="methods">
          {(methods ?? [])
            .flatMap((id) => METHOD_NAMES[id] ?? [])
            .map((name) => (
              <option key={name} value={name} />
            ))}
        </datalist>
        <label class="wide">
          Arguments, separated by spaces: numbers, slices or cells in base64
          <input type="text" name="arguments" spellcheck={false} autocomplete="off" />
        </label>
        <button type="submit" disabled={isRunning}>
          Run
        </button>
      </form>
      {error && <Failure error={error} />}
      {result && <Shown result={result} />}
    </Panel>
  );
}

function Shown({ result: { exit_code, gas_used, stack } }: { readonly result: Result }) {
  const isGood = exit_code === 0 || exit_code === 1;
  return (
    <div role="status">
      <p>
        <Badge kind={isGood ? 'good' : 'bad'}>{`exit code ${exit_code}`}</Badge> {gas_used} gas
      </p>
      {stack.length === 0 ? <Notice>The stack is empty.</Notice> : <Json value={stack} />}
    </div>
  );
}

/** Entries of the stack: a bag of cells is given as a slice, all else as a number. */
function toStack(text: string) {
  return text
    .split(/\s+/)
    .filter((one) => one !== '')
    .map((value) => ({ type: BASE64.test(value) ? 'slice' : 'num', value }));
}
