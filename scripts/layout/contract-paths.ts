/** One path of the TON Center APIs. */
export interface ContractPath {
  /** `v2`, `v3`, `emulate`, `streaming`: the segment after `/api/`. */
  readonly api: string;
  readonly method: 'GET' | 'POST';
  /** Below the API's prefix; of v2 the method's name. */
  readonly path: string;
}

const V3 = `
  /masterchainInfo /masterchainBlockShardState /masterchainBlockShards /blocks /transactions
  /transactionsByMasterchainBlock /transactionsByMessage /adjacentTransactions /pendingTransactions /messages
  /addressBook /metadata /accountStates /walletStates /topAccountsByBalance
  /traces /events /pendingTraces /actions /pendingActions /balanceChanges
  /jetton/masters /jetton/wallets /jetton/transfers /jetton/burns
  /nft/collections /nft/items /nft/transfers /nft/sales
  /dns/records /dns/activeAuctions /multisig/wallets /multisig/orders /vesting /decode
  /staking/nominatorPools/pool /staking/nominatorPools/nominator /staking/nominatorPools/nominatorEvents
  /staking/nominatorPools/nominatorRewards /staking/nominatorPools/validatorEvents
  /staking/nominatorPools/validatorRewards
  /validators/events /validators/elections /validators/cycles /validators/complaints
  /addressInformation /account /walletInformation /wallet`;

const V3_POST = '/decode /message /estimateFee /runGetMethod';
const EMULATE_POST = '/v1/emulateTrace /v1/emulateTonConnect';

const STREAMING = '/v2/ws';
const STREAMING_POST = '/v2/sse';

const V2 = `
  getAddressInformation getExtendedAddressInformation getWalletInformation getAddressBalance getAddressState getTokenData
  getShardAccountCell dnsResolve getMasterchainInfo getMasterchainBlockSignatures getShardBlockProof getConsensusBlock
  lookupBlock getShards shards getBlockHeader getOutMsgQueueSize getBlockTransactions getBlockTransactionsExt
  getTransactions getTransactionsStd tryLocateTx tryLocateResultTx tryLocateSourceTx getConfigParam getConfigAll
  getLibraries detectAddress detectHash packAddress unpackAddress healthcheck`;

const V2_POST = `
  runGetMethod runGetMethodStd sendBoc sendBocReturnHash sendBocReturnHashNoError sendQuery estimateFee jsonRPC`;

/** Every documented path of the TON Center APIs, release 1.3 of v3 and 2.1 of v2, in the order of their documentation. */
export function contractPaths(): readonly ContractPath[] {
  const paths = (api: string, method: 'GET' | 'POST', names: string): ContractPath[] =>
    names
      .trim()
      .split(/\s+/)
      .map((path) => ({ api, method, path }));
  return [
    ...paths('v3', 'GET', V3),
    ...paths('v3', 'POST', V3_POST),
    ...paths('v2', 'GET', V2),
    ...paths('v2', 'POST', V2_POST),
    ...paths('emulate', 'POST', EMULATE_POST),
    ...paths('streaming', 'GET', STREAMING),
    ...paths('streaming', 'POST', STREAMING_POST),
  ];
}
