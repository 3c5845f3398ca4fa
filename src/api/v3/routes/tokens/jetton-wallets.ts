import { readTokens } from '../../../entities/tokens/find.ts';
import { readMintless } from '../../../entities/tokens/mintless.ts';
import { type TokenOrder, tokenPlaces } from '../../../entities/tokens/model.ts';
import { HttpError } from '../../../http/errors/http-error.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import {
  type JettonWalletsAnswer,
  JettonWalletsSchema,
  jettonWalletAnswer,
} from '../../answers/tokens/jetton-wallet.ts';
import { endpoint } from '../../endpoint.ts';
import { accounts, bool } from '../../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../../parameters/paging.ts';
import { SCANNING, scannedPage } from '../../scan.ts';

interface Filters {
  readonly address: readonly unknown[];
  readonly owner_address: readonly unknown[];
  readonly jetton_address: readonly unknown[];
  readonly sort: string | undefined;
}

/** Several parents require a single owner. */
export function requireOneOwner(owners: number, parents: number, name: string): void {
  if (parents > 1 && owners !== 1)
    throw new HttpError(422, `exact one owner_address required for multiple ${name}`);
}

/** `/jetton/wallets` (v3-endpoints.md 5.2). */
export const jettonWallets = endpoint({
  path: '/jetton/wallets',
  tag: 'jettons',
  summary: 'Jetton wallets by filter.',
  reads: ['base', 'contracts'],
  parameters: {
    address: accounts('Wallets, at most 1000.'),
    owner_address: accounts('Owners, at most 1000.'),
    jetton_address: accounts('Masters; more than one needs exactly one owner_address.'),
    exclude_zero_balance: bool('Leave out wallets that neither have jettons nor may claim some.'),
    ...PAGING,
    ...SORTING,
    ...SCANNING,
  },
  answer: JettonWalletsSchema,
  cached: true,
  check: ({ owner_address: owners, jetton_address: parents }) =>
    requireOneOwner(owners.length, parents.length, 'jetton_address'),
  async handle(scope, values, { settings, switches }): Promise<JettonWalletsAnswer> {
    const { address: addresses, owner_address: owners, jetton_address: parents } = values;
    const filter = {
      kind: 'jetton_wallet',
      addresses,
      owners,
      parents,
      isAboveZero: values.exclude_zero_balance === true,
    } as const;
    const page = toPage(values, settings, false);
    const order = getOrder(values);
    const places = tokenPlaces('jetton_wallet', order);
    const { rows, next } = await scannedPage(scope, places, { values, page }, (scanned, scan) =>
      readTokens(scanned, { ...filter, after: scan?.after }, page, order),
    );
    const listed = rows.flatMap(({ address, owner, parent }) => [address, owner, parent]);
    const [claims, described] = await Promise.all([
      readMintless(scope, rows),
      describeAddresses(scope, listed, switches),
    ]);
    return {
      jetton_wallets: rows.map((row) => jettonWalletAnswer(row, claims.get(row.address))),
      ...described,
      ...next,
    };
  },
});

/** Orders by balance on request, within each owner for several; only addresses: in their order. */
function getOrder({ address, owner_address: owners, jetton_address: masters, sort }: Filters): TokenOrder {
  if (address.length > 0 && owners.length === 0 && masters.length !== 1) return 'address';
  const key = sort === undefined ? 'first' : 'amount';
  return owners.length > 1 && masters.length !== 1 ? `owner, ${key}` : key;
}
