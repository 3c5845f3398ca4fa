import { toBase64 } from '../../../ton/hash/base64.ts';
import { sendMessage } from '../../chain/send-message.ts';
import { readBoc } from '../parameters/body.ts';
import { postEndpoint } from '../post-endpoint.ts';
import { MessageBodySchema, type SentMessageAnswer, SentMessageSchema } from '../schemas/chain.ts';

/** POST `/message`: sends an external message. */
export const message = postEndpoint({
  path: '/message',
  tag: 'api/v2',
  summary: 'Send an external message.',
  reads: [],
  sends: true,
  body: MessageBodySchema,
  answer: SentMessageSchema,
  async handle(context, _scope, body): Promise<SentMessageAnswer> {
    const { hash, hashNorm } = await sendMessage(context, readBoc(body, 'boc'));
    return { message_hash: toBase64(hash), message_hash_norm: toBase64(hashNorm) };
  },
});
