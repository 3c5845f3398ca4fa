import { readTransferTraces } from '../../../entities/traces/ids.ts';
import { alias, given } from '../../../parameters/parameter.ts';
import { AnswerBodies } from '../../answers/answer-bodies.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { nftTransferAnswer } from '../../answers/tokens/nft-answers.ts';
import { endpoint } from '../../endpoint.ts';
import { account, accounts } from '../../parameters/forms.ts';
import { toPage } from '../../parameters/paging.ts';
import { parseTransferSide, side } from '../../parameters/side.ts';
import { getBounds, TRANSFER_WINDOW } from '../../parameters/transfer-window.ts';
import { transfersPage } from '../../scan-transfers.ts';
import { type NftTransfersAnswer, NftTransfersSchema } from '../../schemas/nft.ts';

/** `/nft/transfers` (v3-endpoints.md 6.3): aborted ones too. */
export const nftTransfers = endpoint({
  path: '/nft/transfers',
  tag: 'nfts',
  summary: 'NFT transfers by filter.',
  reads: ['base', 'contracts'],
  adds: ['traces'],
  parameters: {
    owner_address: alias(accounts('Owners on either side, at most 1000.'), 'address'),
    item_address: accounts('Items, at most 1000.'),
    collection_address: account('Collection.'),
    direction: side('in: the new owner; out: the old owner. Only with owner_address.'),
    ...TRANSFER_WINDOW,
  },
  answer: NftTransfersSchema,
  cached: true,
  async handle(scope, values, { settings, switches }): Promise<NftTransfersAnswer> {
    const filter = given({
      owners: values.owner_address,
      direction: parseTransferSide(values.direction),
      accounts: values.item_address,
      parents: values.collection_address ? [values.collection_address] : [],
      ...getBounds(values),
    });
    const listedAs = { ...filter, kind: 'nft_transfer' } as const;
    const { rows, next } = await transfersPage(scope, listedAs, values, toPage(values, settings));
    const listed = rows.flatMap((row) => [
      row.address,
      row.parent,
      row.source,
      row.destination,
      row.response,
    ]);
    const [described, traces] = await Promise.all([
      describeAddresses(scope, listed, switches),
      readTransferTraces(scope, rows),
    ]);
    const context = { traces, bodies: new AnswerBodies(scope.context) };
    return { nft_transfers: rows.map((row) => nftTransferAnswer(row, context)), ...described, ...next };
  },
});
