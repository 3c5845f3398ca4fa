import { HttpError } from '../../../http/errors/http-error.ts';
import { given } from '../../../parameters/parameter.ts';
import { vestingAnswer } from '../../answers/custody/custody-answers.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { endpoint } from '../../endpoint.ts';
import { accounts, bool } from '../../parameters/forms.ts';
import { PAGING, toPage } from '../../parameters/paging.ts';
import { SCANNING } from '../../scan.ts';
import { custodyPage } from '../../scan-custody.ts';
import { type VestingsAnswer, VestingsSchema } from '../../schemas/custody.ts';

/** Exactly one of the two must be given. */
function requireOne(contracts: number, wallets: number): void {
  if (contracts === 0 && wallets === 0)
    throw new HttpError(422, 'at least one of contract_address or wallet_address is required');
  if (contracts > 0 && wallets > 0)
    throw new HttpError(422, 'only one of contract_address or wallet_address should be specified');
}

/** `/vesting` (v3-endpoints.md 7.4), by first appearance. */
export const vesting = endpoint({
  path: '/vesting',
  tag: 'vesting',
  summary: 'Vesting contracts.',
  reads: ['base', 'contracts'],
  parameters: {
    contract_address: accounts('Vesting contracts, at most 1000.'),
    wallet_address: accounts('Owners or senders, at most 1000.'),
    check_whitelist: bool('With wallet_address: also contracts that have it in their whitelist.'),
    ...PAGING,
    ...SCANNING,
  },
  answer: VestingsSchema,
  cached: true,
  check: ({ contract_address: contracts, wallet_address: wallets }) =>
    requireOne(contracts.length, wallets.length),
  async handle(fullScope, values, { settings, switches }): Promise<VestingsAnswer> {
    const { contract_address: addresses, wallet_address: wallets } = values;
    const roles = ['owner', 'sender', ...(values.check_whitelist ? (['whitelisted'] as const) : [])] as const;
    const members = wallets.length > 0 ? { accounts: wallets, roles } : undefined;
    const filter = { kind: 'vesting' as const, addresses, ...given({ members }) };
    const page = toPage(values, settings, false);
    const { rows, scope, next } = await custodyPage(fullScope, filter, { values, page, order: 'first' });
    const listed = rows.flatMap(({ address, details }) => [
      address,
      details.sender_address,
      details.owner_address,
      ...details.whitelist,
    ]);
    const { address_book } = await describeAddresses(scope, listed, { ...switches, metadata: false });
    return { vesting_contracts: rows.map(vestingAnswer), address_book, ...next };
  },
});
