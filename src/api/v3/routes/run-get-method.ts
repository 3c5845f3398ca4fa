import { methodId } from '../../../ton/contracts/codes/method-id.ts';
import { runGetMethod as run } from '../../chain/run-get-method.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import type { ReadScope } from '../../query/scope.ts';
import { isVisible } from '../../query/scope.ts';
import { stackAnswer } from '../answers/stack-answer.ts';
import { type PostBody, readAddress, readSeqno, requiredText } from '../parameters/body.ts';
import { readStackArguments } from '../parameters/stack.ts';
import { postEndpoint } from '../post-endpoint.ts';
import { type RunGetMethodAnswer, RunGetMethodBodySchema, RunGetMethodSchema } from '../schemas/chain.ts';

/**
 * POST `/runGetMethod`: on the newest state, or on that after masterchain block `seqno`, which wallets send and the real server has
 * not; its exit code is part of the answer.
 */
export const runGetMethod = postEndpoint({
  path: '/runGetMethod',
  tag: 'api/v2',
  summary: 'Run a get method.',
  reads: ['base'],
  body: RunGetMethodBodySchema,
  answer: RunGetMethodSchema,
  async handle(context, scope, body, caller): Promise<RunGetMethodAnswer> {
    const address = readAddress(body);
    const method = methodId(requiredText(body, 'method'));
    const stack = readStackArguments(body.stack);
    const mcSeqno = findBlock(body, scope);
    const call = { address, methodId: method, stack, mcSeqno };
    const { gasUsed, exitCode, stack: values } = await run({ context, scope, caller }, call);
    return { gas_used: gasUsed, exit_code: exitCode, stack: stackAnswer(values) };
  },
});

/** The masterchain block whose state is asked for; undefined: the newest. @throws HttpError 404, 422 */
function findBlock(body: PostBody, scope: ReadScope | null): number | undefined {
  const seqno = readSeqno(body);
  if (seqno !== null && scope && !isVisible(seqno, scope.visible))
    throw new HttpError(404, `masterchain block ${seqno} not found`);
  return seqno ?? undefined;
}
