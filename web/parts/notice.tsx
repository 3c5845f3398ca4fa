import type { ComponentChildren } from 'preact';
import type { RequestError } from '../api/request.ts';
import type { Loaded } from '../api/use-answer.ts';

/** Why something cannot be shown, in the server's words. */
export function Failure({ error }: { readonly error: RequestError }) {
  return (
    <p class="notice bad" role="alert">
      {error.status > 0 && <strong>{error.status} </strong>}
      {error.message}
      {error.retryMs !== null && ' The page tries again.'}
    </p>
  );
}

export function Notice({ children }: { readonly children: ComponentChildren }) {
  return <p class="notice">{children}</p>;
}

export interface ShownProps<T> {
  readonly loaded: Loaded<T>;
  readonly children: (answer: T) => ComponentChildren;
}

/** The answer of a request, the progress or the failure. An older answer stays below a failure. */
export function Shown<T>({ loaded, children }: ShownProps<T>) {
  const { answer, error } = loaded;
  return (
    <>
      {error && <Failure error={error} />}
      {answer === null
        ? !error && (
            <p class="notice loading" role="status">
              Loading…
            </p>
          )
        : children(answer)}
    </>
  );
}
