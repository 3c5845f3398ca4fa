/** Answers that benches accept: an error is never a page. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { askApi } from '../../../bench/common/ask-api.ts';
import { BenchError } from '../../../bench/common/bench-error.ts';

/** A server that gives these answers, one after the other, the last of them for ever. */
async function serverOf(...answers: readonly (readonly [status: number, body: string])[]): Promise<string> {
  let asked = 0;
  const server = createServer((_request, reply) => {
    const [status, body] = answers[Math.min(asked++, answers.length - 1)]!;
    reply.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it('a busy server is asked again', async () => {
  const url = await serverOf([503, '{"code":503}'], [500, '{"code":500}'], [200, '{"rows":[1]}']);
  expect(await askApi(url)).toEqual({ rows: [1] });
});

it('an error is told with its status and body: at once where another try cannot help, else when the time is over', async () => {
  const refused = await serverOf([422, '{"code":422,"error":"limit"}'], [200, '{}']);
  await expect(askApi(refused)).rejects.toThrow(
    new BenchError(`${refused} was answered with 422: {"code":422,"error":"limit"}`),
  );
  const late = await serverOf([500, 'the query took longer than its time limit']);
  await expect(askApi(late, 0)).rejects.toThrow(
    new BenchError(`${late} was answered with 500: the query took longer than its time limit`),
  );
});
