import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { Emulator } from '../../tvm/emulator.ts';
import { readConfigDict, withParam } from '../ledger/chain-config.ts';

/**
 * A message, tick or tock on which the executor itself failed, twice. An external message is refused; the others have a
 * transaction without a compute phase.
 */
export interface Unexecuted {
  readonly kind: 'external' | 'internal' | 'tick' | 'tock';
  readonly account: AccountAddress;
  /** Hash of the message; null for a tick or tock. */
  readonly message: Uint8Array | null;
  readonly reason: string;
}

/** Parameters 20 and 21: gas of the masterchain and of the basechain. */
const GAS_PARAMS = [20, 21];

// gas_prices_ext#de gas_price:uint64 gas_limit:uint64 special_gas_limit:uint64 gas_credit:uint64
//   block_gas_limit:uint64 freeze_due_limit:uint64 delete_due_limit:uint64 = GasLimitsPrices;
const NO_GAS = new CellBuilder()
  .uint(0xde, 8)
  .u64(1n << 16n)
  .u64(0n)
  .u64(0n)
  .u64(0n)
  .u64(0n)
  .u64(100_000_000n)
  .u64(1_000_000_000n)
  .cell();

/**
 * Runs with a block that gives no gas: the executor skips the compute phase (`cskip_no_gas`), and applies storage fees,
 * the credit and a bounce by its own rules. Then the previous block context is restored.
 */
export function withoutGas<T>(emulator: Emulator, run: () => T): T {
  const block = emulator.entered;
  if (block === null) return run();
  emulator.enter({ ...block, config: withoutGasConfig(block.config) });
  try {
    return run();
  } finally {
    emulator.enter(block);
  }
}

function withoutGasConfig(config: string): string {
  const boc = parseBoc(Buffer.from(config, 'base64'));
  const dict = readConfigDict(new CellsOfBag(boc), onlyRoot(boc));
  const changed = GAS_PARAMS.reduce((sum, param) => withParam(sum, param, NO_GAS), dict);
  return toBase64(writeBag(changed.root()!, { index: false }));
}
