/**
 * Prints the transactions of an account as they become visible. It keeps the id of the last event in a file, so a restart
 * resumes after that event: nothing is missing, nothing comes twice.
 *
 *   npx node examples/resume-stream.ts ADDRESS [URL] [FILE]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [address, url = 'http://127.0.0.1:8080', file = 'last-event-id'] = process.argv.slice(2);
const body = JSON.stringify({ types: ['transactions'], addresses: [address] });

async function follow(): Promise<void> {
  const last: Record<string, string> = existsSync(file)
    ? { 'Last-Event-ID': readFileSync(file, 'utf8') }
    : {};
  const headers = { 'Content-Type': 'application/json', ...last };
  const answer = await fetch(`${url}/api/streaming/v2/sse`, { method: 'POST', headers, body });
  if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${await answer.text()}`);
  let rest = '';
  for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + part).split('\n\n');
    rest = events.pop() as string;
    for (const event of events) {
      const field = (name: string) => event.match(new RegExp(`^${name}: ?(.*)$`, 'm'))?.[1];
      const { transactions = [] } = JSON.parse(field('data') ?? '{}');
      for (const { lt, hash } of transactions) console.log(`${field('id')} lt ${lt} hash ${hash}`);
      // After the event is handled, so that a crash repeats it instead of skipping it.
      if (field('id')) writeFileSync(file, field('id') as string);
    }
  }
}

for (;;) {
  await follow().catch((error: Error) => console.error(error.message));
  await sleep(1_000);
}
