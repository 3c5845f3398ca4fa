import { getAddressBalance, getAddressInformation, getAddressState } from './account-methods.ts';
import { detectAddress, packAddress, unpackAddress } from './address-methods.ts';
import { getMasterchainBlockSignatures, getShardBlockProof } from './block-proofs.ts';
import { getConfigAll, getConfigParam } from './config.ts';
import { detectHash } from './detect-hash.ts';
import { dnsResolve } from './dns-resolve.ts';
import { estimateFee } from './estimate-fee.ts';
import { getBlockHeader } from './get-block-header.ts';
import { getBlockTransactions } from './get-block-transactions.ts';
import { getBlockTransactionsExt } from './get-block-transactions-ext.ts';
import { getConsensusBlock } from './get-consensus-block.ts';
import { getLibraries } from './get-libraries.ts';
import { getMasterchainInfo } from './get-masterchain-info.ts';
import { getOutMsgQueueSize } from './get-out-msg-queue-size.ts';
import { getShardAccountCell } from './get-shard-account-cell.ts';
import { getTokenData } from './get-token-data.ts';
import { getTransactions } from './get-transactions.ts';
import { getTransactionsStd } from './get-transactions-std.ts';
import { healthcheck } from './healthcheck.ts';
import { lookupBlock } from './lookup-block.ts';
import type { Method } from './method.ts';
import { runGetMethod, runGetMethodStd } from './run-get-method.ts';
import { sendBoc, sendBocReturnHash, sendBocReturnHashNoError, sendQuery } from './send-boc.ts';
import { shards } from './shards.ts';
import { tryLocateSourceTx, tryLocateTx } from './try-locate.ts';
import { getExtendedAddressInformation, getWalletInformation } from './wallet-methods.ts';

/** Every method of v2: the GET routes, the POST routes, /jsonRPC and the OpenAPI document are made from this table. */
export const METHODS: readonly Method[] = [
  getMasterchainInfo,
  getConsensusBlock,
  shards,
  lookupBlock,
  getBlockHeader,
  getMasterchainBlockSignatures,
  getShardBlockProof,
  getOutMsgQueueSize,
  getBlockTransactions,
  getBlockTransactionsExt,
  getTransactions,
  getTransactionsStd,
  tryLocateTx,
  tryLocateSourceTx,
  getAddressInformation,
  getExtendedAddressInformation,
  getWalletInformation,
  getAddressBalance,
  getAddressState,
  getTokenData,
  getShardAccountCell,
  getConfigParam,
  getConfigAll,
  getLibraries,
  runGetMethod,
  runGetMethodStd,
  estimateFee,
  sendBoc,
  sendBocReturnHash,
  sendBocReturnHashNoError,
  sendQuery,
  packAddress,
  unpackAddress,
  detectAddress,
  detectHash,
  dnsResolve,
  healthcheck,
];

/** The methods by every name that they have; names are case-sensitive. */
export const METHODS_BY_NAME: ReadonlyMap<string, Method> = new Map(
  METHODS.flatMap((method) => [method.name, ...method.aliases].map((name) => [name, method] as const)),
);
