import { writeBag } from '../../../ton/cell/write-bag.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { externalMessage } from '../../chain/external-message.ts';
import { sendMessage } from '../../chain/send-message.ts';
import { EXT_MESSAGE_INFO, OK } from '../format/chain-schemas.ts';
import { BOC } from '../parameters/boc.ts';
import { required } from '../parameters/parameter.ts';
import { MESSAGE_PARAMETERS, messageParts } from './message-parts.ts';
import { defineMethod } from './method.ts';

const PARAMETERS = { boc: required(BOC, 'external message', 'empty boc') };

/** Sends an external message. */
export const sendBoc = defineMethod({
  name: 'sendBoc',
  group: 'send',
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
  postOnly: true,
  takesCells: true,
  summary: 'Send an external message and answer its hashes',
  parameters: PARAMETERS,
  result: EXT_MESSAGE_INFO,
  async answer({ context }, { boc }) {
    const { hash, hashNorm } = await sendMessage(context, boc);
    return { '@type': 'raw.extMessageInfo', hash: toBase64(hash), hash_norm: toBase64(hashNorm) };
  },
});

/** Builds an external message from its parts and sends it. */
export const sendQuery = defineMethod({
  name: 'sendQuery',
  group: 'send',
  postOnly: true,
  takesCells: true,
  summary: 'Send an external message given in parts',
  parameters: MESSAGE_PARAMETERS,
  result: OK,
  async answer({ context }, values) {
    const { address, body, init } = messageParts(values);
    await sendMessage(context, writeBag(externalMessage(address, body, init), { index: false }));
    return { '@type': 'ok' };
  },
});
