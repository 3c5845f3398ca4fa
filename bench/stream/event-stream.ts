import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { askApi } from '../common/ask-api.ts';
import { BenchError } from '../common/bench-error.ts';

/** A stream of server-sent events that a client reads. */
export interface EventStream {
  close(): void;
}

/** Opens a stream of `transactions`; resolves when it is open. `onEvent`: the id and the JSON of each event. */
export function openEvents(
  api: string,
  addresses: readonly string[],
  onEvent: (id: string, json: string) => void,
): Promise<EventStream> {
  const body = JSON.stringify({ types: ['transactions'], addresses });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const url = api.replace('/api/v3', '/api/streaming/v2/sse');
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(url, { method: 'POST', headers, agent: false }, (answer) => {
      if (answer.statusCode === 200) {
        readEvents(answer, onEvent);
        resolve({ close: () => sent.destroy() });
        return;
      }
      text(answer).then(
        (event) => reject(new BenchError(`a stream was answered with ${answer.statusCode}: ${event}`)),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function readEvents(answer: IncomingMessage, onEvent: (id: string, json: string) => void): void {
  let rest = '';
  answer.on('error', () => {});
  answer.setEncoding('utf8').on('data', (part: string) => {
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const [, id, json] = /^id: (.+)\nevent: event\ndata: (.+)$/s.exec(block) ?? [];
      if (id !== undefined && json !== undefined) onEvent(id, json);
    }
  });
}

/** Accounts of the newest transactions of a workchain, most of them first. */
export async function busyAccounts(api: string, most: number): Promise<string[]> {
  const { transactions } = await askApi<{ transactions: { account: string }[] }>(
    `${api}/transactions?workchain=0&limit=1000`,
  );
  const counts = new Map<string, number>();
  for (const { account } of transactions) counts.set(account, (counts.get(account) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([account]) => account);
}
