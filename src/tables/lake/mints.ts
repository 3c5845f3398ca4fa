import { column, columnTypes, defineTable } from '../table.ts';
import { buildLakeTarget, PLACE } from './lake-types.ts';

export const MINTS = defineTable({
  name: 'mints',
  version: 4,
  comment: 'Jettons that a master minted, one row a mint.',
  key: ['lt', 'wallet'],
  columns: {
    ...PLACE,
    lt: { ...PLACE.lt, comment: "Logical time of the wallet's transaction." },
    query_id: column('UInt64', 'Number that the sender gave.'),
    amount: column('UInt256', "Amount, in the jetton's smallest unit."),
    owner: column('String', 'Owner of the wallet.'),
    wallet: column('String', 'Jetton wallet of the receiver.'),
    master: column('String', 'Jetton master.'),
    response: column('String', 'Receiver of the excess.'),
    forward_amount: column('UInt128', 'Value that was forwarded, nanotons.'),
    forward_payload: column('String', 'Forward payload as raw bytes of a bag of cells.'),
  },
});

export const MINT_TYPES = columnTypes(MINTS);

export const MINT_TARGET = buildLakeTarget(MINTS, 'wallet', {
  nullable: ['owner'],
  indexed: ['owner', 'master', 'tx_hash'],
});
