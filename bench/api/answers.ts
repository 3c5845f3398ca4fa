import { setTimeout as sleep } from 'node:timers/promises';

/** An answer of the API, without what each answer of v2 has of its own. */
export interface Answer {
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

/** Pages of a scan that are followed. */
const MAX_PAGES = 3;

/** Asks each path once, a request at a time. The cursor of a scan is followed. */
export async function recordAnswers(url: string, paths: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const path of paths) {
    let next: string | null = path;
    for (let pages = 0; next !== null && pages < MAX_PAGES; pages++) {
      const answer = await ask(url, next);
      answers.push(answer);
      next = path.endsWith('cursor=') ? nextPage(path, answer) : null;
    }
  }
  return answers;
}

async function ask(url: string, path: string): Promise<Answer> {
  for (;;) {
    const answer = await fetch(`${url}${path}`);
    const text = (await answer.text()).replace(/,"@extra":"[^"]*"/, '');
    // A busy machine is not a difference.
    if (answer.status !== 503 && answer.status !== 504) return { path, status: answer.status, text };
    await sleep(500);
  }
}

function nextPage(path: string, { text }: Answer): string | null {
  const { next_cursor: cursor } = JSON.parse(text) as { readonly next_cursor?: string };
  return cursor === undefined ? null : `${path}${cursor}`;
}

/** A text for each answer that differs from the recorded one. */
export function compareAnswers(recorded: readonly Answer[], answers: readonly Answer[]): string[] {
  const answerByPath = new Map(answers.map((answer) => [answer.path, answer]));
  return recorded.flatMap((before) => {
    const after = answerByPath.get(before.path);
    if (after?.status === before.status && after.text === before.text) return [];
    const at = [...before.text].findIndex((char, i) => char !== after?.text[i]);
    const part = (text = '') => text.slice(Math.max(0, at - 80), at + 80);
    return [
      `${before.path}\n  before ${before.status} ${part(before.text)}\n  after  ${after?.status} ${part(after?.text)}`,
    ];
  });
}
