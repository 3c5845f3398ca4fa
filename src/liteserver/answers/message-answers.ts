import { LiteServerError } from '../../liteapi/lite-errors.ts';
import { unsupported } from '../lite-refusals.ts';
import type { Answers } from './answers.ts';

/** Code of the reference server for a message that it does not take. */
const REFUSED = 0;
const TAKEN = 1;

/** External messages, and what only servers with candidates of blocks have. */
export const MESSAGE_ANSWERS: Answers<'sendMessage' | 'nonfinal.getPendingShardBlocks'> = {
  async sendMessage(context, { body }) {
    if (!context.send) throw unsupported('this server takes no messages');
    const refusal = await context.send(body);
    if (refusal !== null) throw new LiteServerError(REFUSED, `cannot apply external message: ${refusal}`);
    return { status: TAKEN };
  },
  'nonfinal.getPendingShardBlocks'() {
    throw unsupported('this server has no blocks that are not final');
  },
};
