import { Agent, request } from 'node:http';

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

/** Sends single calls to one server over kept connections; load is made by `http-load.ts`. */
export class HttpSender {
  readonly #agent: Agent;
  readonly #host: string;
  readonly #port: number;

  constructor(url: string, connections: number) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  }

  /** `isBodyNeeded` false: the body of a good answer is read and dropped; the bench shares the processor with the server. */
  call({ method, path, headers, body }: HttpCall, isBodyNeeded = true): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, host: this.#host, port: this.#port, method, path, headers };
      const sent = request(options, (response) => {
        const parts: Buffer[] = [];
        const isRead = isBodyNeeded || response.statusCode !== 200;
        response.on('data', (part: Buffer) => isRead && parts.push(part));
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
