import { expect, it } from 'vitest';
import { Refreshed } from '../../../src/api/refreshed.ts';

it('keeps the previous value while it cannot be read, and logs it once', async () => {
  const answers = ['a', new Error('away'), new Error('away'), 'b', new Error('away again'), 'c'];
  const said: string[] = [];
  const seen: string[] = [];
  let refreshed: Refreshed<string> | undefined;
  await new Promise<void>((resolve) => {
    const read = async () => {
      if (refreshed) seen.push(refreshed.value);
      const answer = answers.shift();
      if (answer === undefined) resolve();
      if (answer instanceof Error) throw answer;
      return answer ?? 'end';
    };
    const log = { warn: (_: object, text: string) => said.push(text) };
    refreshed = new Refreshed('first', { read, everyMs: 1, log, failure: 'not read' });
    void refreshed.start();
  });
  refreshed?.close();
  expect(seen).toEqual(['first', 'a', 'a', 'a', 'b', 'b', 'c']);
  expect(said).toEqual(['not read', 'not read']);
});
