import { type Static, Type } from 'typebox';
import { readNamesOfDomain, readNamesOfWallets } from '../../../entities/contracts/find.ts';
import type { ContractRow } from '../../../entities/contracts/model.ts';
import { HttpError } from '../../../http/errors/http-error.ts';
import { accountOfRaw } from '../../../query/account-id.ts';
import { readAddressBook } from '../../answers/read-address-book.ts';
import { endpoint } from '../../endpoint.ts';
import { account, text } from '../../parameters/forms.ts';
import { PAGING, toPage } from '../../parameters/paging.ts';
import { NAME_PLACE, namePlace } from '../../places.ts';
import { nextCursor, parseScan, SCANNING, scannedScope } from '../../scan.ts';
import { Page } from '../../schemas/address-book.ts';
import { Address, nullable } from '../../schemas/common.ts';

const DEFAULT_LIMIT = 100;

/** v3-models.md section 11. */
export const DnsRecordSchema = Type.Object({
  nft_item_address: Address,
  nft_item_owner: nullable(Address),
  domain: Type.String(),
  dns_next_resolver: nullable(Address),
  dns_wallet: nullable(Address),
  dns_site_adnl: nullable(Type.String({ description: 'hex' })),
  dns_storage_bag_id: nullable(Type.String({ description: 'hex' })),
});
type DnsRecordAnswer = Static<typeof DnsRecordSchema>;

const DnsRecordsSchema = Type.Object({
  records: Type.Array(DnsRecordSchema),
  ...Page,
});

/** `/dns/records` (v3-endpoints.md 7.1): names of `.ton` and `.t.me`, the shortest first. */
export const dnsRecords = endpoint({
  path: '/dns/records',
  tag: 'dns',
  summary: 'Names by their wallet or by their text.',
  reads: ['base', 'contracts'],
  parameters: {
    wallet: account('Names whose record `wallet` is this account.'),
    domain: text('Full name, such as foundation.ton.'),
    ...PAGING,
    ...SCANNING,
  },
  answer: DnsRecordsSchema,
  cached: true,
  async handle(fullScope, values, { settings, switches }) {
    const { wallet, domain } = values;
    if (wallet && domain) throw new HttpError(422, 'provide either wallet address or domain, not both');
    const page = toPage(values, { ...settings, defaultLimit: DEFAULT_LIMIT });
    const scan = parseScan(NAME_PLACE, values, page, fullScope.visible);
    const scope = scannedScope(fullScope, scan);
    const range = { page, after: scan?.after ?? null };
    const names = await readNames();
    const records = names.map(recordAnswer);
    const listed = records.flatMap((one) => [
      one.nft_item_address,
      one.nft_item_owner,
      one.dns_wallet,
      one.dns_next_resolver,
    ]);
    const accounts = [...new Set(listed.filter((one) => one !== null))].map(accountOfRaw);
    const address_book = switches.addressBook ? await readAddressBook(scope, accounts) : {};
    return { records, address_book, ...nextCursor(NAME_PLACE, scan, page, names.map(namePlace)) };

    async function readNames(): Promise<readonly ContractRow[]> {
      if (wallet) return readNamesOfWallets(scope, [wallet], range);
      if (domain) return readNamesOfDomain(scope, domain, range);
      throw new HttpError(422, 'either wallet address or domain is required');
    }
  },
});

function recordAnswer({ address, owner, domain, details }: ContractRow): DnsRecordAnswer {
  const field = (name: string) => (details[name] ?? null) as string | null;
  return {
    nft_item_address: address,
    nft_item_owner: owner,
    domain,
    dns_next_resolver: field('dns_next_resolver'),
    dns_wallet: field('dns_wallet'),
    dns_site_adnl: field('dns_site_adnl'),
    dns_storage_bag_id: field('dns_storage_bag_id'),
  };
}
