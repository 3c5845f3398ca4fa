import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ChainControls } from '../chain-port.ts';
import type { ServeLog } from '../serve-context.ts';
import { answerErrors } from './errors/answer-errors.ts';
import { HttpError } from './errors/http-error.ts';
import { isForeign, isLoopback } from './foreign-requests.ts';

/** Masterchain blocks of one request: a longer one would wait beyond the time of an answer. */
const MAX_BLOCKS = 1_000;

/**
 * `POST /localnet/COMMAND`: controls of a local chain, for the page and for clients that have no access to its data directory. The
 * commands are those of src/localnet/control/control-commands.ts, with the same JSON. Only programs of this machine may call
 * them, and no page of another origin, whatever `--cors` allows: they show keys and spend coins.
 */
export async function localChainPlugin(
  app: FastifyInstance,
  { controls, log }: { readonly controls: ChainControls; readonly log: ServeLog },
): Promise<void> {
  answerErrors(app, log);
  app.post<{ Params: { command: string } }>('/:command', async (request) => {
    requireLocal(request);
    const given = request.body ?? {};
    if (typeof given !== 'object') throw new HttpError(422, 'a JSON object is needed');
    if (Number((given as { blocks?: unknown }).blocks) > MAX_BLOCKS)
      throw new HttpError(422, `blocks: at most ${MAX_BLOCKS} a request`);
    const done = controls(request.params.command, given);
    if (!done) throw new HttpError(404, `no command ${request.params.command}`);
    return done;
  });
}

/** @throws HttpError 403 */
function requireLocal(request: FastifyRequest): void {
  if (!isLoopback(request.clientAddress) || request.headers['x-forwarded-for'] !== undefined)
    throw new HttpError(403, 'only programs of the same machine may control the local chain');
  if (isForeign(request, 'off'))
    throw new HttpError(403, 'no page of another origin may control the local chain');
}
