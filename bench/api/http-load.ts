import { Agent, request } from 'node:http';
import { quantile } from '../common/report.ts';

/** One HTTP request, ready to send. */
export interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** Calls that follow each other and together are one unit of work: one answer of the API, or its statements. */
export type Unit = readonly HttpCall[];

export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** Sends calls to one server over kept connections. */
export class HttpLoad {
  readonly #agent: Agent;
  readonly #host: string;
  readonly #port: number;

  constructor(url: string, connections: number) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  }

  /** `keep` false: the body of a good answer is read and dropped; whoever measures shares the processor with the server. */
  call({ method, path, headers, body }: HttpCall, keep = true): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, host: this.#host, port: this.#port, method, path, headers };
      const sent = request(options, (response) => {
        const parts: Buffer[] = [];
        const isKept = keep || response.statusCode !== 200;
        response.on('data', (part: Buffer) => isKept && parts.push(part));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export interface Latency {
  /** With the warm-up. */
  readonly sent: number;
  readonly requests: number;
  readonly errors: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Of the last error: what the server said. */
  readonly error: string | null;
}

/**
 * Sends units one after the other, `requests` of them after a warm-up, and takes the time of each, ms. Where they are
 * so slow that `limitSeconds` pass, fewer are sent, and the result says how many.
 */
export async function measureLatency(
  load: HttpLoad,
  units: readonly Unit[],
  requests: number,
  limitSeconds: number,
  warmUp = WARM_UP,
): Promise<Latency> {
  const deadline = performance.now() + limitSeconds * 1000;
  let warmed = 0;
  for (const unit of units.slice(0, warmUp)) {
    if (performance.now() > deadline - limitSeconds * 500) break;
    for (const call of unit) await load.call(call);
    warmed++;
  }
  const times: number[] = [];
  let errors = 0;
  let error: string | null = null;
  for (let i = 0; i < requests && (i === 0 || performance.now() < deadline); i++) {
    const start = performance.now();
    for (const call of units[i % units.length] as Unit) {
      const { status, body } = await load.call(call, false);
      if (status === 200) continue;
      errors++;
      error = `${status} ${body.toString().slice(0, 300)}`;
    }
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((q) => quantile(times, q)) as [
    number,
    number,
    number,
    number,
  ];
  return { sent: warmed + times.length, requests: times.length, errors, p50, p95, p99, max, error };
}

/** Requests before the ones that are timed. */
const WARM_UP = 50;

/** Units a second that so many connections get done side by side. */
export async function measureThroughput(
  load: HttpLoad,
  units: readonly Unit[],
  connections: number,
  seconds: number,
): Promise<{ readonly perSecond: number; readonly errors: number }> {
  let next = 0;
  let done = 0;
  let errors = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  const connection = async () => {
    while (performance.now() < end) {
      for (const call of units[next++ % units.length] as Unit) {
        const { status } = await load.call(call, false);
        if (status !== 200) errors++;
      }
      done++;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { perSecond: done / ((performance.now() - start) / 1000), errors };
}
