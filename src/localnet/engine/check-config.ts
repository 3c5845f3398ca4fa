import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { storeAddress } from '../../ton/store/store-address.ts';
import type { Emulator } from '../../tvm/emulator.ts';
import { NO_SHARD_ACCOUNT } from '../ledger/account-entry.ts';
import { LocalnetError } from '../localnet-error.ts';

/**
 * Tries a transaction in each workchain with a configuration: only then the executor reports missing parameters. The
 * previous block context must be restored afterwards.
 * @throws LocalnetError, EmulatorError no block could be made with it
 */
export function checkConfig(emulator: Emulator, config: string, now: number): void {
  emulator.enter({ config, now, randomSeed: new Uint8Array(32), prevBlocks: null, libraries: null });
  for (const workchain of [0, -1]) {
    const input = { message: creditMessage(workchain) };
    const result = emulator.transact({ shardAccount: NO_SHARD_ACCOUNT, input, lt: 2n });
    if (!result.accepted)
      throw new LocalnetError(`transaction in workchain ${workchain}`, 'an executed one', result.error);
  }
}

/** A message with a nanoton to an account that is not there. */
// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
//   value:CurrencyCollection ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo;
function creditMessage(workchain: number): string {
  const address = { workchain, address: new Uint8Array(32).fill(1) };
  const builder = new CellBuilder()
    .uint(0b0_1_0_0, 4)
    .with(storeAddress, address)
    .with(storeAddress, address);
  builder.coins(1n).bit(false).coins(0n).coins(0n).u64(1n).uint(1, 32);
  return toBase64(writeBag(builder.uint(0b0_0, 2).cell(), { index: false }));
}
