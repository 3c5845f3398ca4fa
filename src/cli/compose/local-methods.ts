import { readShardAccount } from '../../api/chain/account-of-view.ts';
import type { LiteContext, MethodCall } from '../../liteserver/lite-context.ts';
import type { LocalnetControl } from '../../localnet/localnet-control.ts';
import { formatRaw } from '../../ton/address/address.ts';
import { EMPTY_CELL_BOC } from '../../ton/boc/serialize.ts';
import { fromBase64, toBase64 } from '../../ton/hash/base64.ts';
import type { TvmPool } from '../../tvm/pool/tvm-pool.ts';
import { writeStack } from '../../tvm/stack/write-stack.ts';

/** Gas limit of a lite server. */
const GAS_LIMIT = 300_000n;
/** Exit code for an account without code. */
const NO_CODE = -256;

/** Runs get methods of a local chain's accounts, for lite clients. */
export function localMethods(control: LocalnetControl, pool: TvmPool): NonNullable<LiteContext['runMethod']> {
  return async ({ workchain, address, mcSeqno, methodId, stack }: MethodCall) => {
    const view = await control.view({ workchain, address }, mcSeqno);
    if (!view) return null;
    const account = readShardAccount(view.shardAccount);
    if (!account?.code) return { exitCode: NO_CODE, stack: writeStack([]) };
    const result = await pool.runGetMethod({
      code: toBase64(account.code),
      data: toBase64(account.data ?? EMPTY_CELL_BOC),
      methodId,
      stack: toBase64(stack.length > 0 ? stack : writeStack([])),
      config: view.config,
      address: formatRaw(workchain, address, false),
      now: view.utime,
      balance: account.account.balance.grams,
      gasLimit: GAS_LIMIT,
      randomSeed: new Uint8Array(32),
      libraries: view.libraries,
      prevBlocks: view.prevBlocks,
    });
    return { exitCode: result.exitCode, stack: fromBase64(result.stack) ?? writeStack([]) };
  };
}
