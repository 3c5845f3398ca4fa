import { createHmac } from 'node:crypto';
import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { UnavailableError } from '../../platform/errors/error-kinds.ts';
import { isPublicAddress } from '../../platform/fetch/public-address.ts';
import type { Hook } from './hook.ts';

/** A delivery was not taken. */
export class DeliveryError extends UnavailableError {}

/** Time for a webhook to answer, ms. */
export const ANSWER_MS = 10_000;

/** An event on its way to a webhook. */
export interface Delivery {
  readonly id: string;
  readonly body: string;
}

/**
 * Sends a delivery, signed as Standard Webhooks has it (HMAC-SHA256 of `id.timestamp.body`). The address that is connected to is
 * the one that was checked; a redirect is an answer like any other that is not 2xx.
 * @throws DeliveryError
 */
export function sendDelivery(hook: Hook, delivery: Delivery, stop: AbortSignal): Promise<void> {
  const url = new URL(hook.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!hook.allowsPrivate && isIP(host) > 0 && !isPublicAddress(host))
    return Promise.reject(new DeliveryError(`${host} is a private address`));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (error: Error) => reject(new DeliveryError(error.message, { cause: error }));
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_MS)]);
  const options = {
    method: 'POST',
    headers: buildHeaders(hook, delivery),
    lookup: lookupFor(hook),
    signal,
    agent: false,
  };
  const request = send(url, options, (answer) => {
    const status = answer.statusCode ?? 0;
    // Nothing of the body is needed.
    answer.on('error', () => {}).destroy();
    if (status >= 200 && status < 300) resolve();
    else fail(new Error(`answered ${status}`));
  });
  request.on('error', (error) => fail(signal.aborted ? new Error(`no answer in ${ANSWER_MS} ms`) : error));
  request.end(delivery.body);
  return promise;
}

function buildHeaders({ secret }: Hook, { id, body }: Delivery): Record<string, string> {
  const timestamp = `${Math.floor(Date.now() / 1_000)}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'Content-Type': 'application/json',
    'Content-Length': `${Buffer.byteLength(body)}`,
    'User-Agent': 'tonhouse',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

/** Resolves a name and refuses it if one of its addresses is private: the checked addresses are the connected ones. */
function lookupFor({ allowsPrivate }: Hook): LookupFunction {
  return (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new Error(`${name} has no address`), []);
      const found = addresses.find(({ address }) => !isPublicAddress(address));
      if (found && !allowsPrivate)
        return done(new Error(`${name} is at ${found.address}, a private address`), []);
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}
