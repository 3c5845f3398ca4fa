import { writeBag } from '../../../ton/cell/write-bag.ts';
import { openBaseState } from '../base-state.ts';
import type { EmulateEndpoint } from '../emulate-endpoint.ts';
import { readEmulatedAccount } from '../emulated-account.ts';
import { readNumber } from '../request-fields.ts';
import { externalMessage } from '../routed-message.ts';
import { readChoices, runEmulation } from '../run-emulation.ts';
import { EmulateTonConnectBodySchema } from '../schemas.ts';
import { readTonConnectRequest } from '../ton-connect-request.ts';
import { walletMessage } from '../wallet-message.ts';

/** So long a request counts that names no time, seconds. */
const VALID_SECONDS = 300;

/** POST `/v1/emulateTonConnect` (v3-rules.md 1): the result of a wallet's messages. */
export const emulateTonConnect: EmulateEndpoint = {
  path: '/v1/emulateTonConnect',
  summary: 'What the messages of a TON Connect request would do, sent by the wallet of their sender.',
  reads: ['base'],
  adds: ['contracts'],
  body: EmulateTonConnectBodySchema,
  async handle(scope, body, actionsVersion) {
    const request = readTonConnectRequest(body);
    const choices = readChoices(body, actionsVersion ?? 'v1');
    const base = await openBaseState(scope, readNumber(body, 'mc_block_seqno'));
    const wallet = readEmulatedAccount(await base.account(scope, request.from));
    // A local chain may be ahead of the clock.
    const now = Math.max(Math.floor(Date.now() / 1000), base.view.utime);
    const cell = walletMessage(wallet, request, request.validUntil ?? now + VALID_SECONDS);
    const message = externalMessage(writeBag(cell, { index: false }));
    return runEmulation(scope, base, { message, ignoreSignature: true }, choices);
  },
};
