import { readSuspended } from '../../chain/suspended-accounts.ts';
import { readContents } from '../../entities/accounts/cells.ts';
import { readAccountStates } from '../../entities/accounts/find.ts';
import { getAccount, hasCode } from '../../entities/accounts/model.ts';
import { readCodeFacts } from '../../entities/contracts/code-facts.ts';
import { readDomains } from '../../entities/contracts/domains.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { needed, withDefault } from '../../parameters/parameter.ts';
import { rawAddress } from '../../query/account-id.ts';
import { addressBook, withDomains } from '../answers/address-book-answer.ts';
import { describedAmong, readAddedMetadata } from '../answers/describe-addresses.ts';
import { walletStateAnswer } from '../answers/wallet-state-answer.ts';
import { endpoint } from '../endpoint.ts';
import { accounts, BOOL, hashes } from '../parameters/forms.ts';
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
    include_boc: withDefault(BOOL, true, 'Read the data. Without it no account is recognised as a wallet.'),
    code_hash: hashes('Only accounts with one of these codes.'),
  },
  answer: WalletStatesSchema,
  cached: true,
  check({ address }) {
    if (address.length === 0) throw new HttpError(422, 'address of account is required');
  },
  async handle(
    scope,
    { address, include_boc: withData, code_hash: wanted },
    { switches },
  ): Promise<WalletStatesAnswer> {
    const found = await readAccountStates(scope, address);
    const rows = [...found.values()].filter((row) => hasCode(row, wanted));
    const [contents, facts, suspended] = await Promise.all([
      withData ? readContents(scope, rows) : null,
      readCodeFacts(
        scope,
        rows.map(({ code_hash: code }) => code),
      ),
      readSuspended(scope, scope.visible.last),
    ]);
    const codes = new Map(rows.map((row) => [rawAddress(getAccount(row)), row.code_hash]));
    const listed = rows.map(getAccount);
    const booked = switches.addressBook ? listed : [];
    const [domains, metadata] = await Promise.all([
      readDomains(scope, booked),
      switches.metadata ? readAddedMetadata(scope, describedAmong(listed, codes)) : {},
    ]);
    return {
      wallets: rows.map((row, i) => walletStateAnswer(row, contents?.[i]?.data ?? null, suspended)),
      address_book: withDomains(addressBook(booked, codes, scope.context.network.testnet, facts), domains),
      metadata,
    };
  },
});
