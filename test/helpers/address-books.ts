/* Which addresses the address book of an answer holds, by the fields of its rows (v3-rules.md 9). */

type Row = Readonly<Record<string, unknown>>;
type Addresses = (row: Row) => readonly unknown[];

const fields =
  (...names: string[]): Addresses =>
  (row) =>
    names.flatMap((name) => row[name]);

const ofTransaction: Addresses = (row) => [
  row.account,
  (row.in_msg as Row | null)?.source,
  ...(row.out_msgs as readonly Row[]).map(({ destination }) => destination),
];

const ofCollection = fields('address', 'owner_address');

const ofItem: Addresses = (row) => [
  ...fields('address', 'collection_address', 'owner_address')(row),
  ...(row.collection ? ofCollection(row.collection as Row) : []),
];

/** An action contains accounts if they are requested. */
const ofAction: Addresses = (row) => addressesIn([row.details, row.raw_action, row.accounts]);

const ofOrder = fields('address', 'multisig_address', 'signers');

/** The name of an answer in the contract's table, its rows' key, and their addresses. */
export const ADDRESS_BOOKS: Readonly<Record<string, readonly [key: string, addresses: Addresses]>> = {
  transactions: ['transactions', ofTransaction],
  adjacent: ['transactions', ofTransaction],
  pending: ['transactions', ofTransaction],
  messages: ['messages', fields('source', 'destination')],
  accountStates: ['accounts', fields('address')],
  walletStates: ['wallets', fields('address')],
  traces: [
    'traces',
    (row) => [
      ...Object.values(row.transactions as Row).map((one) => (one as Row).account),
      ...((row.actions ?? []) as readonly Row[]).flatMap(ofAction),
    ],
  ],
  actions: ['actions', ofAction],
  'jetton/masters': ['jetton_masters', fields('address', 'admin_address')],
  'jetton/wallets': ['jetton_wallets', fields('address', 'owner', 'jetton')],
  'jetton/transfers': [
    'jetton_transfers',
    fields('source', 'destination', 'source_wallet', 'jetton_master', 'response_destination'),
  ],
  'jetton/burns': ['jetton_burns', fields('owner', 'jetton_wallet', 'jetton_master', 'response_destination')],
  'nft/collections': ['nft_collections', ofCollection],
  'nft/items': ['nft_items', ofItem],
  'nft/transfers': [
    'nft_transfers',
    fields('nft_address', 'nft_collection', 'old_owner', 'new_owner', 'response_destination'),
  ],
  'nft/sales': [
    'nft_sales',
    (row) => [
      ...fields('address', 'nft_address', 'nft_owner_address', 'marketplace_address')(row),
      ...addressesIn(row.details),
      ...(row.nft_item ? ofItem(row.nft_item as Row) : []),
    ],
  ],
  'dns/records': ['records', fields('nft_item_address', 'nft_item_owner', 'dns_wallet', 'dns_next_resolver')],
  'multisig/wallets': [
    'multisigs',
    (row) => [
      ...fields('address', 'signers', 'proposers')(row),
      ...((row.orders ?? []) as readonly Row[]).flatMap(ofOrder),
    ],
  ],
  orders: ['orders', ofOrder],
  vesting: ['vesting_contracts', fields('address', 'sender_address', 'owner_address', 'whitelist')],
};

const RAW = /^-?\d+:[0-9A-F]{64}$/;

/** Raw addresses anywhere in a value. */
function addressesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return RAW.test(value) ? [value] : [];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(addressesIn) : [];
}

/** Addresses that the book of an answer must hold; sorted, each once. */
export function booked(name: string, answer: Row): readonly string[] {
  const [key, addresses] = ADDRESS_BOOKS[name]!;
  const named = (answer[key] as readonly Row[]).flatMap(addresses);
  return [...new Set(named.filter((one): one is string => typeof one === 'string' && RAW.test(one)))].sort();
}
