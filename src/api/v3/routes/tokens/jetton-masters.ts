import { readTokens } from '../../../entities/tokens/find.ts';
import { tokenPlaces } from '../../../entities/tokens/model.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { jettonMasterAnswer } from '../../answers/tokens/jetton-answers.ts';
import { endpoint } from '../../endpoint.ts';
import { accounts } from '../../parameters/forms.ts';
import { PAGING, toPage } from '../../parameters/paging.ts';
import { SCANNING, scannedPage } from '../../scan.ts';
import { type JettonMastersAnswer, JettonMastersSchema } from '../../schemas/jetton.ts';

/** Documented bound of both lists (v3-endpoints.md 5.1). */
const MAX = 1024;

/** `/jetton/masters` (v3-endpoints.md 5.1). */
export const jettonMasters = endpoint({
  path: '/jetton/masters',
  tag: 'jettons',
  summary: 'Jetton masters by filter.',
  reads: ['base', 'contracts'],
  parameters: {
    address: accounts(`Masters, at most ${MAX}.`, MAX),
    admin_address: accounts(`Admins, at most ${MAX}.`, MAX),
    ...PAGING,
    ...SCANNING,
  },
  answer: JettonMastersSchema,
  cached: true,
  async handle(scope, values, { settings, switches }): Promise<JettonMastersAnswer> {
    const filter = {
      kind: 'jetton_master',
      addresses: values.address,
      owners: values.admin_address,
    } as const;
    const page = toPage(values, settings);
    const places = tokenPlaces('jetton_master', 'first');
    const { rows, next } = await scannedPage(scope, places, { values, page }, (scanned, scan) =>
      readTokens(scanned, { ...filter, after: scan?.after }, page, 'first'),
    );
    return {
      jetton_masters: rows.map(jettonMasterAnswer),
      ...(await describeAddresses(
        scope,
        rows.flatMap(({ address, owner }) => [address, owner]),
        switches,
      )),
      ...next,
    };
  },
});
