/** Values of an index that requests name: raw addresses, hashes in base64, seqnos. */
export interface RouteKeys {
  readonly steps: readonly number[];
  readonly accounts: readonly string[];
  readonly transactions: readonly string[];
  readonly messages: readonly string[];
  readonly bodies: readonly string[];
  readonly traces: readonly string[];
  readonly actions: readonly string[];
  readonly owners: readonly string[];
  readonly masters: readonly string[];
  readonly jettonWallets: readonly string[];
  readonly collections: readonly string[];
  readonly items: readonly string[];
  readonly multisigs: readonly string[];
  readonly vestings: readonly string[];
  readonly pools: readonly string[];
}

type Queries = (keys: RouteKeys) => readonly string[];

const LIMIT = 'limit=100';
const one =
  (name: string, from: keyof RouteKeys, more = ''): Queries =>
  (keys) =>
    keys[from].map((key) => `${name}=${encodeURIComponent(key)}${more}`);
const page = (name: string, from: keyof RouteKeys) => one(name, from, `&${LIMIT}`);
const several =
  (name: string, from: keyof RouteKeys, count = 20): Queries =>
  (keys) =>
    keys[from].map((_, at) => {
      const some = Array.from({ length: count }, (_one, i) => keys[from][(at + i * 7) % keys[from].length]!);
      return `${name}=${encodeURIComponent(some.join())}`;
    });
const plain =
  (...queries: readonly string[]): Queries =>
  () =>
    queries;

/** A row of the bench: its name after the path, and its queries. */
type Rows = Readonly<Record<string, Queries>>;

/** Queries of every GET route of v3, as wallets and explorers ask: look-ups, pages of one account, newest pages. */
export const ROUTE_QUERIES: Readonly<Record<string, Rows>> = {
  '/masterchainInfo': { '': plain('') },
  '/masterchainBlockShardState': { '': one('seqno', 'steps') },
  '/masterchainBlockShards': { '': one('seqno', 'steps') },
  '/blocks': { latest: plain(LIMIT), step: one('mc_seqno', 'steps') },
  '/transactions': {
    latest: plain(LIMIT),
    hash: one('hash', 'transactions'),
    account: page('account', 'accounts'),
    message: one('msg_hash', 'messages'),
  },
  '/transactionsByMasterchainBlock': { '': page('seqno', 'steps') },
  '/transactionsByMessage': {
    hash: one('msg_hash', 'messages'),
    opcode: plain(`opcode=0x0f8a7ea5&${LIMIT}`),
  },
  '/adjacentTransactions': { '': one('hash', 'transactions') },
  '/pendingTransactions': { '': one('account', 'accounts') },
  '/messages': {
    latest: plain(LIMIT),
    hash: one('msg_hash', 'messages'),
    source: page('source', 'accounts'),
  },
  '/addressBook': { '': several('address', 'accounts') },
  '/metadata': { '': several('address', 'masters') },
  '/decode': { '': one('bodies', 'bodies') },
  '/accountStates': { '': several('address', 'accounts') },
  '/walletStates': { '': several('address', 'accounts') },
  '/accountActivity': { '': several('address', 'accounts') },
  '/topAccountsByBalance': { '': plain(LIMIT) },
  '/traces': {
    latest: plain('limit=20'),
    id: one('trace_id', 'traces'),
    transaction: one('tx_hash', 'transactions'),
    account: one('account', 'accounts', '&limit=20'),
    message: one('msg_hash', 'messages'),
    'id with actions': one('trace_id', 'traces', '&include_actions=true'),
  },
  '/events': { id: one('trace_id', 'traces') },
  '/actions': {
    latest: plain(LIMIT),
    id: one('action_id', 'actions'),
    trace: one('trace_id', 'traces'),
    transaction: one('tx_hash', 'transactions'),
    message: one('msg_hash', 'messages'),
    account: page('account', 'accounts'),
    'type of an account': page('action_type=jetton_transfer&account', 'accounts'),
  },
  '/pendingActions': { '': one('account', 'accounts') },
  '/balanceChanges': { '': one('trace_id', 'traces') },
  '/pendingTraces': { '': one('account', 'accounts') },
  '/jetton/masters': { latest: plain(LIMIT), address: one('address', 'masters') },
  '/jetton/wallets': {
    owner: page('owner_address', 'owners'),
    master: page('sort=desc&jetton_address', 'masters'),
    address: one('address', 'jettonWallets'),
  },
  '/jetton/transfers': {
    latest: plain(LIMIT),
    owner: page('owner_address', 'owners'),
    master: page('jetton_master', 'masters'),
  },
  '/jetton/burns': { latest: plain(LIMIT), owner: page('owner_address', 'owners') },
  '/nft/collections': { latest: plain(LIMIT), address: one('collection_address', 'collections') },
  '/nft/items': {
    owner: page('owner_address', 'owners'),
    collection: page('collection_address', 'collections'),
    address: one('address', 'items'),
  },
  '/nft/transfers': {
    latest: plain(LIMIT),
    owner: page('owner_address', 'owners'),
    item: page('item_address', 'items'),
  },
  '/nft/sales': { '': several('address', 'items') },
  '/dns/records': { wallet: page('wallet', 'accounts'), domain: plain('domain=a.ton') },
  '/dns/activeAuctions': { '': page('bidder', 'accounts') },
  '/multisig/wallets': { address: one('address', 'multisigs'), signer: page('wallet_address', 'accounts') },
  '/multisig/orders': { '': page('multisig_address', 'multisigs') },
  '/vesting': { address: one('contract_address', 'vestings'), owner: page('wallet_address', 'accounts') },
  '/staking/nominatorPools/pool': { '': one('pool', 'pools') },
  '/staking/nominatorPools/nominator': { '': one('nominator', 'accounts') },
  '/staking/nominatorPools/nominatorEvents': { '': page('pool', 'pools') },
  '/staking/nominatorPools/nominatorRewards': {
    '': ({ pools, accounts }) =>
      accounts.map((account, at) => `pool=${pools[at % pools.length]}&nominator=${account}&${LIMIT}`),
  },
  '/staking/nominatorPools/validatorEvents': { '': page('pool', 'pools') },
  '/staking/nominatorPools/validatorRewards': {
    '': ({ pools, accounts }) =>
      accounts.map((account, at) => `pool=${pools[at % pools.length]}&validator=${account}&${LIMIT}`),
  },
  '/validators/events': { '': plain(LIMIT), holder: page('stake_holder_address', 'accounts') },
  '/validators/elections': { '': plain(LIMIT) },
  '/validators/cycles': { '': plain(LIMIT) },
  '/validators/complaints': { '': plain(LIMIT) },
  '/addressInformation': { '': one('address', 'accounts') },
  '/account': { '': one('address', 'accounts') },
  '/walletInformation': { '': one('address', 'owners') },
  '/wallet': { '': one('address', 'owners') },
  '/integrity': { '': plain('') },
};
