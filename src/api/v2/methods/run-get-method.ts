import { toBase64 } from '../../../ton/hash/base64.ts';
import { type MethodOutcome, runGetMethod as run } from '../../chain/run-get-method.ts';
import { type ParameterValues, required } from '../../parameters/parameter.ts';
import { blockIdExt } from '../format/block-id.ts';
import { RUN_RESULT, RUN_RESULT_STD } from '../format/chain-schemas.ts';
import { legacyStack, typedStack } from '../format/stack.ts';
import { NO_TRANSACTION_ID, transactionId } from '../format/transaction-id.ts';
import { STATE_SEQNO } from '../parameters/block-parameters.ts';
import { ACCOUNT } from '../parameters/history-parameters.ts';
import { METHOD } from '../parameters/method-id.ts';
import { LEGACY_STACK, TYPED_STACK } from '../parameters/stack.ts';
import { chainAddress } from './message-parts.ts';
import { defineMethod, type V2Request } from './method.ts';

const MASTERCHAIN = 0x8000000000000000n;

const WHICH = { address: ACCOUNT, method: required(METHOD, 'get method') };
const LEGACY = { ...WHICH, stack: required(LEGACY_STACK, 'arguments'), seqno: STATE_SEQNO };
const TYPED = { ...WHICH, stack: required(TYPED_STACK, 'arguments'), seqno: STATE_SEQNO };

function call(request: V2Request, values: ParameterValues<typeof LEGACY>): Promise<MethodOutcome> {
  const { address, method, stack, seqno } = values;
  return run(request, {
    address: chainAddress(address),
    methodId: method,
    stack,
    mcSeqno: seqno,
  });
}

/** Runs a get method; its exit code is part of the answer. */
export const runGetMethod = defineMethod({
  name: 'runGetMethod',
  group: 'run method',
  reads: ['base'],
  postOnly: true,
  takesCells: true,
  summary: 'Run a get method',
  parameters: LEGACY,
  result: RUN_RESULT,
  async answer(request, values) {
    const { gasUsed, exitCode, stack, view, account } = await call(request, values);
    const { rootHash, fileHash, seqno } = view.block;
    return {
      '@type': 'smc.runResult',
      gas_used: gasUsed,
      stack: legacyStack(stack),
      exit_code: exitCode,
      block_id: blockIdExt(request.blockIdTag, {
        workchain: -1,
        shard: MASTERCHAIN,
        seqno,
        root_hash: toBase64(rootHash),
        file_hash: toBase64(fileHash),
      }),
      last_transaction_id: account
        ? transactionId(account.lastTransLt.toString(), toBase64(account.lastTransHash))
        : NO_TRANSACTION_ID,
    };
  },
});

/** As `runGetMethod`, with typed entries in both directions. */
export const runGetMethodStd = defineMethod({
  name: 'runGetMethodStd',
  group: 'run method',
  reads: ['base'],
  postOnly: true,
  takesCells: true,
  summary: 'Run a get method, with typed stack entries',
  parameters: TYPED,
  result: RUN_RESULT_STD,
  async answer(request, values) {
    const { gasUsed, exitCode, stack } = await call(request, values);
    return {
      '@type': 'smc.runResult',
      gas_used: gasUsed,
      stack: typedStack(stack),
      exit_code: exitCode,
    };
  },
});
