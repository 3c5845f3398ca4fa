import { HttpError } from '../../http/errors/http-error.ts';
import { needed } from '../../parameters/parameter.ts';
import { accountFromText } from '../../query/account-id.ts';
import { readMetadata } from '../answers/describe-addresses.ts';
import { endpoint } from '../endpoint.ts';
import { addressTexts } from '../parameters/forms.ts';
import { type Metadata, MetadataSchema } from '../schemas/address-book.ts';

/** `/metadata` (v3-endpoints.md 3.2): only token contracts; a jetton wallet adds its master. */
export const metadataRoute = endpoint({
  path: '/metadata',
  tag: 'accounts',
  summary: 'Metadata of tokens.',
  reads: ['contracts'],
  parameters: {
    address: needed(addressTexts('Addresses in any form, repeated or comma-separated, at most 1024.', 1024)),
  },
  answer: MetadataSchema,
  cached: true,
  check({ address }) {
    if (address.length === 0) throw new HttpError(422, 'at least 1 address required');
  },
  async handle(scope, { address }): Promise<Metadata> {
    const accounts = address.map(accountFromText).filter((account) => account !== null);
    return readMetadata(scope, accounts);
  },
});
