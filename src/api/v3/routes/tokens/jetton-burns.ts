import { readTransferTraces } from '../../../entities/traces/ids.ts';
import { alias, given } from '../../../parameters/parameter.ts';
import { AnswerBodies } from '../../answers/answer-bodies.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { jettonBurnAnswer } from '../../answers/tokens/jetton-answers.ts';
import { endpoint } from '../../endpoint.ts';
import { account, accounts } from '../../parameters/forms.ts';
import { toPage } from '../../parameters/paging.ts';
import { getBounds, TRANSFER_WINDOW } from '../../parameters/transfer-window.ts';
import { transfersPage } from '../../scan-transfers.ts';
import { type JettonBurnsAnswer, JettonBurnsSchema } from '../../schemas/jetton.ts';

/** `/jetton/burns` (v3-endpoints.md 5.4): aborted ones too. */
export const jettonBurns = endpoint({
  path: '/jetton/burns',
  tag: 'jettons',
  summary: 'Jetton burns by filter.',
  reads: ['base', 'contracts'],
  adds: ['traces'],
  parameters: {
    owner_address: alias(accounts('Owners, at most 1000.'), 'address'),
    jetton_wallet: accounts('Wallets, at most 1000.'),
    jetton_master: account('Master.'),
    ...TRANSFER_WINDOW,
  },
  answer: JettonBurnsSchema,
  cached: true,
  async handle(scope, values, { settings, switches }): Promise<JettonBurnsAnswer> {
    const filter = given({
      owners: values.owner_address,
      direction: 'out' as const,
      accounts: values.jetton_wallet,
      parents: values.jetton_master ? [values.jetton_master] : [],
      ...getBounds(values),
    });
    const listedAs = { ...filter, kind: 'jetton_burn' } as const;
    const { rows, next } = await transfersPage(scope, listedAs, values, toPage(values, settings));
    const listed = rows.flatMap((row) => [row.source, row.address, row.parent, row.response]);
    const [described, traces] = await Promise.all([
      describeAddresses(scope, listed, switches),
      readTransferTraces(scope, rows),
    ]);
    const context = { traces, bodies: new AnswerBodies(scope.context) };
    return { jetton_burns: rows.map((row) => jettonBurnAnswer(row, context)), ...described, ...next };
  },
});
