import { methodId } from '../../../ton/tvm/get-method.ts';
import { runGetMethod as run } from '../../chain/run-get-method.ts';
import { stackAnswer } from '../answers/stack-answer.ts';
import { addressOf, requiredText } from '../parameters/body.ts';
import { readStackArguments } from '../parameters/stack.ts';
import { postEndpoint } from '../post-endpoint.ts';
import { type RunGetMethodAnswer, RunGetMethodBodySchema, RunGetMethodSchema } from '../schemas/chain.ts';

/** POST `/runGetMethod`: on the newest state; its exit code is part of the answer. */
export const runGetMethod = postEndpoint({
  path: '/runGetMethod',
  tag: 'api/v2',
  summary: 'Run a get method.',
  reads: ['base'],
  body: RunGetMethodBodySchema,
  answer: RunGetMethodSchema,
  async handle(context, scope, body, caller): Promise<RunGetMethodAnswer> {
    const address = addressOf(body);
    const method = methodId(requiredText(body, 'method'));
    const call = { address, methodId: method, stack: readStackArguments(body.stack) };
    const { gasUsed, exitCode, stack } = await run({ context, scope, caller }, call);
    return { gas_used: gasUsed, exit_code: exitCode, stack: stackAnswer(stack) };
  },
});
