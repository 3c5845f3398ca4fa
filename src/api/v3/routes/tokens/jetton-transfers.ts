import { readTransferTraces } from '../../../entities/traces/ids.ts';
import { alias, given } from '../../../parameters/parameter.ts';
import { AnswerBodies } from '../../answers/answer-bodies.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { jettonTransferAnswer } from '../../answers/tokens/jetton-answers.ts';
import { endpoint } from '../../endpoint.ts';
import { account, accounts } from '../../parameters/forms.ts';
import { toPage } from '../../parameters/paging.ts';
import { parseTransferSide, side } from '../../parameters/side.ts';
import { getBounds, TRANSFER_WINDOW } from '../../parameters/transfer-window.ts';
import { transfersPage } from '../../scan-transfers.ts';
import { type JettonTransfersAnswer, JettonTransfersSchema } from '../../schemas/jetton.ts';

/** `/jetton/transfers` (v3-endpoints.md 5.3): aborted ones are left out. */
export const jettonTransfers = endpoint({
  path: '/jetton/transfers',
  tag: 'jettons',
  summary: 'Jetton transfers by filter.',
  reads: ['base', 'contracts'],
  adds: ['traces'],
  parameters: {
    owner_address: alias(accounts('Owners on either side, at most 1000.'), 'address'),
    direction: side('in: the owner receives; out: the owner sends. Only with owner_address.'),
    jetton_wallet: accounts('Wallets that send, at most 1000.'),
    jetton_master: account('Master.'),
    ...TRANSFER_WINDOW,
  },
  answer: JettonTransfersSchema,
  cached: true,
  async handle(scope, values, { settings, switches }): Promise<JettonTransfersAnswer> {
    const filter = given({
      owners: values.owner_address,
      direction: parseTransferSide(values.direction),
      accounts: values.jetton_wallet,
      parents: values.jetton_master ? [values.jetton_master] : [],
      excludesAborted: true,
      ...getBounds(values),
    });
    const listedAs = { ...filter, kind: 'jetton_transfer' } as const;
    const { rows, next } = await transfersPage(scope, listedAs, values, toPage(values, settings));
    const listed = rows.flatMap((row) => [
      row.source,
      row.destination,
      row.address,
      row.parent,
      row.response,
    ]);
    const [described, traces] = await Promise.all([
      describeAddresses(scope, listed, switches),
      readTransferTraces(scope, rows),
    ]);
    const context = { traces, bodies: new AnswerBodies(scope.context) };
    return { jetton_transfers: rows.map((row) => jettonTransferAnswer(row, context)), ...described, ...next };
  },
});
