import { readCustody } from '../../../entities/contracts/custody.ts';
import type { CustodyRow } from '../../../entities/contracts/custody-row.ts';
import { given, withDefault } from '../../../parameters/parameter.ts';
import { accountOfRaw } from '../../../query/account-id.ts';
import type { ReadScope } from '../../../query/scope.ts';
import { multisigAnswer, orderAddresses } from '../../answers/custody/custody-answers.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { endpoint } from '../../endpoint.ts';
import { MAX_MULTISIGS, MULTISIG_PAGING, multisigPage } from '../../parameters/custody-page.ts';
import { accounts, BOOL } from '../../parameters/forms.ts';
import { SCANNING } from '../../scan.ts';
import { custodyPage } from '../../scan-custody.ts';
import { type MultisigsAnswer, MultisigsSchema } from '../../schemas/custody.ts';

/** Orders that are embedded: the newest of each multisig, and of all of them together. */
const MAX_OF_ONE = 1_000;
const MAX_OF_ALL = 10_000;

/** `/multisig/wallets` (v3-endpoints.md 7.2); all filters are optional, like the orders' filters. */
export const multisigWallets = endpoint({
  path: '/multisig/wallets',
  tag: 'multisig',
  summary: 'Multisig wallets, with their newest orders.',
  reads: ['base', 'contracts'],
  parameters: {
    address: accounts('Multisigs, at most 1024.', MAX_MULTISIGS),
    wallet_address: accounts('Signers and proposers, at most 1024.', MAX_MULTISIGS),
    include_orders: withDefault(BOOL, true, 'Embeds orders: the newest 1,000 of a multisig at most.'),
    ...MULTISIG_PAGING,
    ...SCANNING,
  },
  answer: MultisigsSchema,
  cached: true,
  async handle(fullScope, values, { settings, switches }): Promise<MultisigsAnswer> {
    const { address: addresses, wallet_address: wallets, include_orders: withOrders } = values;
    const members =
      wallets.length > 0 ? { accounts: wallets, roles: ['signer', 'proposer'] as const } : undefined;
    const filter = { kind: 'multisig' as const, addresses, ...given({ members }) };
    const page = multisigPage(values, settings);
    const { rows, scope, next } = await custodyPage(fullScope, filter, { values, page, order: 'lt' });
    const orders = withOrders ? await readOrders(scope, rows) : [];
    const byParent = Map.groupBy(orders, ({ parent }) => parent);
    const listed = [
      ...rows.flatMap(({ address, details }) => [address, ...details.signers, ...details.proposers]),
      ...orders.flatMap(orderAddresses),
    ];
    const { address_book } = await describeAddresses(scope, listed, { ...switches, metadata: false });
    return {
      multisigs: rows.map((row) =>
        multisigAnswer(row, withOrders ? (byParent.get(row.address) ?? []) : undefined),
      ),
      address_book,
      ...next,
    };
  },
});

/** Newest first. */
async function readOrders(scope: ReadScope<'base' | 'contracts'>, rows: readonly CustodyRow<'multisig'>[]) {
  if (rows.length === 0) return [];
  const parents = rows.map(({ address }) => accountOfRaw(address));
  const page = { limit: MAX_OF_ALL, offset: 0, descending: true };
  return readCustody(scope, { kind: 'multisig_order', parents, mostOfParent: MAX_OF_ONE }, page, 'lt');
}
