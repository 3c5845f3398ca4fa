import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { retry } from '../retry/retry.ts';
import { ObjectMissingError, ObjectRefusedError, ObjectStoreError } from './object-store-error.ts';
import type { S3Location } from './s3-location.ts';

/** One request to a bucket. */
export interface ObjectRequest {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Name of the object; empty for the bucket. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Inclusive range of bytes, in the form of HTTP: the answer must be exactly these. */
  readonly range?: { readonly at: number; readonly length: number };
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

/** The answer to a request that succeeded. */
export interface ObjectAnswer {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** How long a store may take. */
export interface RequestLimits {
  /** Milliseconds until one attempt has the whole answer. */
  readonly timeoutMs: number;
  /** No retry begins later than this after the first attempt, milliseconds. */
  readonly retryMs: number;
}

/** Usual limits: an upload of a part takes longest. */
export const REQUEST_LIMITS: RequestLimits = { timeoutMs: 60_000, retryMs: 60_000 };

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** Answers without a range are small: XML of some lines. */
const MAX_ANSWER = 1 << 20;
const RETRIED: ReadonlySet<number> = new Set([408, 425, 429]);
const PARTIAL = 206;

/** Sends signed requests (AWS signature 4) to one bucket, each with a timeout and retries. */
export class RequestSender {
  readonly #location: S3Location;
  readonly #limits: RequestLimits;
  readonly #client: AwsClient;

  constructor(location: S3Location, limits: RequestLimits) {
    const { accessKey, secretKey, sessionToken, region } = location;
    this.#location = location;
    this.#limits = limits;
    this.#client = new AwsClient({
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      ...(sessionToken !== undefined && { sessionToken }),
      service: 's3',
      region,
      retries: 0,
    });
  }

  /**
   * Sends a request until it succeeds.
   * @throws ObjectMissingError, ObjectRefusedError, or ObjectStoreError after the last retry
   */
  send(request: ObjectRequest): Promise<ObjectAnswer> {
    return retry(() => this.#sendOnce(request), {
      signal: request.signal,
      firstPauseMs: FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      limitMs: this.#limits.retryMs,
      isSpread: true,
      isRetriable: (error) => error instanceof ObjectStoreError,
    });
  }

  async #sendOnce(request: ObjectRequest): Promise<ObjectAnswer> {
    const { signal, range } = request;
    const address = `s3://${this.#location.bucket}/${request.key}`;
    const timeout = AbortSignal.timeout(this.#limits.timeoutMs);
    const stop = AbortSignal.any([signal, timeout]);
    try {
      const response = await fetch(await this.#sign(request), { signal: stop, redirect: 'manual' });
      if (!response.ok) throw await toError(response, request.method, address);
      if (range && response.status !== PARTIAL) {
        await response.body?.cancel();
        throw new ObjectStoreError(address, `expected a part (status 206), found status ${response.status}`);
      }
      const body = await readBody(response, range?.length ?? MAX_ANSWER, address);
      if (range && body.length !== range.length)
        throw new ObjectStoreError(
          address,
          `expected ${range.length} bytes at ${range.at}, found ${body.length}`,
        );
      return { headers: response.headers, body };
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted)
        throw new ObjectStoreError(address, `no complete answer within ${this.#limits.timeoutMs} ms`);
      throw toStoreError(error, address);
    }
  }

  #sign({ method, key, query, range, body }: ObjectRequest): Promise<Request> {
    const url = new URL(`${this.#location.url}/${key}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const headers: Record<string, string> = {
      'X-Amz-Content-Sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    };
    if (range) headers.Range = `bytes=${range.at}-${range.at + range.length - 1}`;
    return this.#client.sign(url.href, { method, headers, ...(body && { body: new Uint8Array(body) }) });
  }
}

/** An error of an attempt. Errors of the network have the cause's code, and nothing of the request. */
function toStoreError(error: unknown, address: string): unknown {
  if (!(error instanceof Error)) return error;
  const isOurs = [ObjectStoreError, ObjectRefusedError, ObjectMissingError].some(
    (type) => error instanceof type,
  );
  if (isOurs) return error;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.message;
  return new ObjectStoreError(address, `the connection failed: ${code}`);
}

/** Of the store's answer only the code is used: its text may have the access key. */
async function toError(response: Response, method: string, address: string): Promise<Error> {
  const text = await readText(response, address);
  const code = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(text)?.[1] ?? '';
  const { status } = response;
  const isMissing = status === 404 && code !== 'NoSuchBucket';
  if (isMissing) return new ObjectMissingError(address);
  if (status >= 500 || RETRIED.has(status))
    return new ObjectStoreError(
      address,
      `${method} failed with status ${status}${code === '' ? '' : `, ${code}`}`,
    );
  return new ObjectRefusedError(address, status, code);
}

async function readText(response: Response, address: string): Promise<string> {
  try {
    return Buffer.from(await readBody(response, MAX_ANSWER, address)).toString();
  } catch {
    return '';
  }
}

/** The body, if it is not longer than a limit. */
async function readBody(response: Response, maxBytes: number, address: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes)
      throw new ObjectStoreError(address, `expected at most ${maxBytes} bytes, found more`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
