import { writeBag } from '../../../ton/cell/write-bag.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { externalMessage } from '../../../ton/messages/external-message.ts';
import { sendMessage } from '../../chain/send-message.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { required } from '../../parameters/parameter.ts';
import type { ServeContext } from '../../serve-context.ts';
import { EXT_MESSAGE_INFO, OK } from '../format/chain-schemas.ts';
import { BOC } from '../parameters/forms.ts';
import { MESSAGE_PARAMETERS, messageParts } from './message-parts.ts';
import { defineMethod } from './method.ts';

const PARAMETERS = { boc: required(BOC, 'external message', 'empty boc') };

/** Sends an external message. */
export const sendBoc = defineMethod({
  name: 'sendBoc',
  group: 'send',
  reads: [],
  postOnly: true,
  takesCells: true,
  summary: 'Send an external message',
  parameters: PARAMETERS,
  result: OK,
  async answer({ context }, { boc }) {
    await sendMessage(context, boc);
    return { '@type': 'ok' };
  },
});

/** As `sendBoc`; answers the hashes of the message. */
export const sendBocReturnHash = defineMethod({
  name: 'sendBocReturnHash',
  group: 'send',
  reads: [],
  postOnly: true,
  takesCells: true,
  summary: 'Send an external message and answer its hashes',
  parameters: PARAMETERS,
  result: EXT_MESSAGE_INFO,
  answer: ({ context }, { boc }) => sendWithHashes(context, boc),
});

/** As `sendBocReturnHash`; a message that is refused is 400, which clients do not send again. */
export const sendBocReturnHashNoError = defineMethod({
  name: 'sendBocReturnHashNoError',
  group: 'send',
  reads: [],
  postOnly: true,
  takesCells: true,
  summary: 'Send an external message and return its hashes; 400 if it is refused',
  parameters: PARAMETERS,
  result: EXT_MESSAGE_INFO,
  async answer({ context }, { boc }) {
    try {
      return await sendWithHashes(context, boc);
    } catch (error) {
      if (error instanceof HttpError && error.status === 500) throw new HttpError(400, error.message);
      throw error;
    }
  },
});

async function sendWithHashes(context: ServeContext, boc: Uint8Array): Promise<object> {
  const { hash, hashNorm } = await sendMessage(context, boc);
  return { '@type': 'raw.extMessageInfo', hash: toBase64(hash), hash_norm: toBase64(hashNorm) };
}

/** Builds an external message from its parts and sends it. */
export const sendQuery = defineMethod({
  name: 'sendQuery',
  group: 'send',
  reads: [],
  postOnly: true,
  takesCells: true,
  summary: 'Send an external message given in parts',
  parameters: MESSAGE_PARAMETERS,
  result: OK,
  async answer({ context }, values) {
    const { address, body, init } = messageParts(values);
    const message = externalMessage(address, { ref: body }, init);
    await sendMessage(context, writeBag(message, { index: false }));
    return { '@type': 'ok' };
  },
});
