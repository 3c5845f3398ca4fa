import {
  COMMENT_BODY,
  DNS_ROOT,
  type Example,
  FAUCET,
  JETTON,
  MASTERCHAIN_SHARD,
  NO_HASH,
  WALLET,
  WALLET_BODY,
  WALLET_MESSAGE,
} from '../example-values.ts';

const BLOCK = { workchain: -1, shard: MASTERCHAIN_SHARD, seqno: 1 } as const;
// Use a real message's values: this one does not exist.
const MESSAGE = { source: FAUCET, destination: WALLET, created_lt: '1000000' } as const;
const PARTS = { address: WALLET, body: WALLET_BODY } as const;

/** An example request of each method of v2, by its first name. */
export const METHOD_EXAMPLES: Readonly<Record<string, Example>> = {
  getMasterchainInfo: {},
  getConsensusBlock: {},
  shards: { seqno: 1 },
  lookupBlock: BLOCK,
  getBlockHeader: BLOCK,
  getMasterchainBlockSignatures: { seqno: 1 },
  getShardBlockProof: BLOCK,
  getOutMsgQueueSize: {},
  getBlockTransactions: { ...BLOCK, count: 3 },
  getBlockTransactionsExt: { ...BLOCK, count: 3 },
  getTransactions: { address: FAUCET, limit: 3 },
  getTransactionsStd: { address: FAUCET, limit: 3 },
  tryLocateTx: MESSAGE,
  tryLocateSourceTx: MESSAGE,
  getAddressInformation: { address: FAUCET },
  getExtendedAddressInformation: { address: FAUCET },
  getWalletInformation: { address: FAUCET },
  getAddressBalance: { address: FAUCET },
  getAddressState: { address: FAUCET },
  getTokenData: { address: JETTON },
  getShardAccountCell: { address: FAUCET },
  getConfigParam: { config_id: 0 },
  getConfigAll: {},
  getLibraries: { libraries: [NO_HASH] },
  runGetMethod: { address: JETTON, method: 'get_jetton_data', stack: [] },
  runGetMethodStd: { address: JETTON, method: 'get_jetton_data', stack: [] },
  estimateFee: { ...PARTS, ignore_chksig: true },
  sendBoc: { boc: WALLET_MESSAGE },
  sendBocReturnHash: { boc: WALLET_MESSAGE },
  sendBocReturnHashNoError: { boc: WALLET_MESSAGE },
  sendQuery: { address: WALLET, body: COMMENT_BODY },
  packAddress: { address: FAUCET },
  unpackAddress: { address: FAUCET },
  detectAddress: { address: FAUCET },
  detectHash: { hash: NO_HASH },
  dnsResolve: { address: DNS_ROOT, name: 'alice.ton' },
  healthcheck: {},
};

/** An example call of JSON-RPC. */
export const RPC_EXAMPLE: Example = {
  method: 'getTransactions',
  params: METHOD_EXAMPLES.getTransactions,
  id: '1',
  jsonrpc: '2.0',
};
