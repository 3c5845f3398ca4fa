import { multisigOrderAnswer, orderAddresses } from '../../answers/custody/custody-answers.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { endpoint } from '../../endpoint.ts';
import { MAX_MULTISIGS, MULTISIG_PAGING, multisigPage } from '../../parameters/custody-page.ts';
import { accounts, bool } from '../../parameters/forms.ts';
import { SCANNING } from '../../scan.ts';
import { custodyPage } from '../../scan-custody.ts';
import { type MultisigOrdersAnswer, MultisigOrdersSchema } from '../../schemas/custody.ts';

/** `/multisig/orders` (v3-endpoints.md 7.3); all filters are optional, as in the specification (docs/contract). */
export const multisigOrders = endpoint({
  path: '/multisig/orders',
  tag: 'multisig',
  summary: 'Orders of multisig wallets.',
  reads: ['base', 'contracts'],
  parameters: {
    address: accounts('Orders, at most 1024.', MAX_MULTISIGS),
    multisig_address: accounts('Multisigs of the orders, at most 1024.', MAX_MULTISIGS),
    parse_actions: bool('Adds the actions of the orders.'),
    ...MULTISIG_PAGING,
    ...SCANNING,
  },
  answer: MultisigOrdersSchema,
  cached: true,
  async handle(fullScope, values, { settings, switches }): Promise<MultisigOrdersAnswer> {
    const filter = {
      kind: 'multisig_order',
      addresses: values.address,
      parents: values.multisig_address,
    } as const;
    const page = multisigPage(values, settings);
    const { rows, scope, next } = await custodyPage(fullScope, filter, { values, page, order: 'lt' });
    const { address_book } = await describeAddresses(scope, rows.flatMap(orderAddresses), {
      ...switches,
      metadata: false,
    });
    return {
      orders: rows.map((row) => multisigOrderAnswer(row, values.parse_actions ?? false)),
      address_book,
      ...next,
    };
  },
});
