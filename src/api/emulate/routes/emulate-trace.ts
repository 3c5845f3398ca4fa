import { openBaseState } from '../base-state.ts';
import type { EmulateEndpoint } from '../emulate-endpoint.ts';
import { invalid, readFlag, readNumber, readText, strictBase64 } from '../request-fields.ts';
import { externalMessage } from '../routed-message.ts';
import { readChoices, runEmulation } from '../run-emulation.ts';
import { EmulateTraceBodySchema } from '../schemas.ts';

/** POST `/v1/emulateTrace` (v3-rules.md 1): the result of an external message. */
export const emulateTrace: EmulateEndpoint = {
  path: '/v1/emulateTrace',
  summary: 'What an external message and all that follows from it would do.',
  reads: ['base'],
  adds: ['contracts'],
  body: EmulateTraceBodySchema,
  async handle(scope, body, actionsVersion) {
    const boc = readText(body, 'boc');
    if (!boc) throw invalid('boc is required');
    const message = externalMessage(strictBase64(boc, 'invalid boc'));
    const choices = readChoices(body, actionsVersion ?? 'latest');
    const ignoreSignature = readFlag(body, 'ignore_chksig');
    const base = await openBaseState(scope, readNumber(body, 'mc_block_seqno'));
    return runEmulation(scope, base, { message, ignoreSignature }, choices);
  },
};
