import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pollFor } from '../../platform/retry/poll.ts';
import { parseAddress } from '../../ton/address/address.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { TouchAccounts } from '../chain-port.ts';
import type { ServeContext } from '../serve-context.ts';
import type { ProjectionName } from '../version-vector.ts';
import { HttpError } from './errors/http-error.ts';

/** An address in raw or friendly form. A part of a longer text, such as a bag of cells, is none. */
const ADDRESS = /(?<![\w+/-])(?:-?\d{1,3}:[0-9a-fA-F]{64}|[A-Za-z0-9_+/-]{48})(?![\w+/=-])/g;
/** Distinct addresses of one request: more than the lists of v3 take. */
const MAX_ADDRESSES = 4_096;
/** Longest wait until the index has the block of a loaded account. */
const INDEX_MS = 15_000;
const POLL_MS = 20;
/** Projections that answers about accounts are read from. */
const READS: readonly ProjectionName[] = ['base', 'activity', 'contracts'];

/**
 * On a local chain that is forked from another network: loads the accounts that a request names before it is handled, so that the
 * time of the answer does not include the load.
 */
export function addTouch(app: FastifyInstance, context: TouchContext): void {
  const touch = context.chain?.touch;
  if (!touch) return;
  app.addHook('preHandler', async (request) => {
    if (request.url.startsWith('/api/')) await touchAccounts(context, touch, request);
  });
}

type TouchContext = Pick<ServeContext, 'chain' | 'vector' | 'freshen'>;

/** Loads accounts, and waits until answers about accounts have them. @throws HttpError */
async function touchAccounts(
  { vector, freshen }: TouchContext,
  touch: TouchAccounts,
  request: FastifyRequest,
): Promise<void> {
  const accounts = findAddresses(`${decoded(request.url)} ${bodyText(request.body)}`);
  if (accounts.length === 0) return;
  const mcSeqno = await touch(accounts);
  const isIndexed = () =>
    READS.every((name) => {
      const view = vector()[name];
      return view.state !== 'served' || view.visible.last >= mcSeqno;
    });
  if (isIndexed()) return;
  const read = async () => {
    await freshen?.(READS);
    return isIndexed();
  };
  if (!(await pollFor(read, INDEX_MS, { everyMs: POLL_MS })))
    throw new HttpError(
      503,
      `masterchain block ${mcSeqno} has accounts of this request, and is not indexed yet`,
    );
}

/** The accounts that a text names, each once. @throws HttpError 422 */
function findAddresses(text: string): AccountAddress[] {
  const found = new Map<string, AccountAddress>();
  for (const [word] of text.matchAll(ADDRESS)) {
    const parsed = parseAddress(word);
    if (parsed) found.set(word, { workchain: parsed.workchain, address: parsed.hash });
  }
  if (found.size > MAX_ADDRESSES)
    throw new HttpError(422, `fork: expected at most ${MAX_ADDRESSES} addresses, found ${found.size}`);
  return [...found.values()];
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    // Handlers refuse such an address themselves.
    return url;
  }
}

/** A body as its text: v3 takes bodies as texts, v2 as JSON. */
function bodyText(body: unknown): string {
  if (typeof body === 'string') return body;
  return body === undefined || body === null ? '' : JSON.stringify(body);
}
