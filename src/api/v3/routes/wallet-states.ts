import { HttpError } from '../../http/http-error.ts';
import { needed } from '../../parameters/parameter.ts';
import type { CodeAndData } from '../../read/account-code.ts';
import { rawAddress } from '../../read/account-id.ts';
import { accountOf } from '../../read/account-state-row.ts';
import { readContents } from '../../read/read-account-cells.ts';
import { readAccountStates } from '../../read/read-account-states.ts';
import { readDomains } from '../../read/read-domains.ts';
import { readCodeFacts } from '../../read/read-interfaces.ts';
import { addressBook, withDomains } from '../answers/address-book-answer.ts';
import { walletStateAnswer } from '../answers/wallet-state-answer.ts';
import { endpoint } from '../endpoint.ts';
import { accounts } from '../parameters/forms.ts';
import { type WalletStatesAnswer, WalletStatesSchema } from '../schemas/account.ts';

/** `/walletStates` (v3-endpoints.md 3.4): accounts never seen are left out, those that are no wallets are not. */
export const walletStates = endpoint({
  path: '/walletStates',
  tag: 'accounts',
  summary: 'The newest states of wallets.',
  reads: ['base'],
  adds: ['contracts'],
  parameters: {
    address: needed(accounts('Accounts in any form, repeated or comma-separated, at most 1000.')),
  },
  answer: WalletStatesSchema,
  cached: true,
  async handle(scope, { address }, { switches }): Promise<WalletStatesAnswer> {
    if (address.length === 0) throw new HttpError(422, 'address of account is required');
    const rows = [...(await readAccountStates(scope, address)).values()];
    const [contents, facts] = await Promise.all([
      readContents(scope, rows),
      readCodeFacts(
        scope,
        rows.map(({ code_hash: code }) => code),
      ),
    ]);
    const codes = new Map(rows.map((row) => [rawAddress(accountOf(row)), row.code_hash]));
    const listed = switches.addressBook ? rows.map(accountOf) : [];
    return {
      wallets: rows.map((row, i) => walletStateAnswer(row, (contents[i] as CodeAndData).data)),
      address_book: withDomains(
        addressBook(listed, codes, scope.context.network.testnet, facts),
        await readDomains(scope, listed),
      ),
      metadata: {},
    };
  },
});
