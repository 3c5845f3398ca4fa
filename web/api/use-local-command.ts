import { useEffect, useState } from 'preact/hooks';
import { postJson, type RequestError } from './request.ts';
import type { Loaded } from './use-answer.ts';

/** Reads a command of the local chain that changes nothing, again for each other `round`. */
export function useLocalCommand<T>(command: string, round: number): Loaded<T> {
  const url = `/localnet/${command}`;
  const [state, setState] = useState<Loaded<T>>({ url, answer: null, error: null });
  useEffect(() => {
    let isGone = false;
    postJson<T>(url, {}).then(
      (answer) => isGone || setState({ url, answer, error: null }),
      (error: RequestError) => isGone || setState((before) => ({ ...before, error })),
    );
    return () => {
      isGone = true;
    };
  }, [url, round]);
  return state;
}
