import { type Address, beginCell, Cell, Dictionary } from '@ton/core';
import { defaultConfig } from '@ton/sandbox';
import { expect } from 'vitest';
import { methodId } from '../../src/ton/contracts/codes/method-id.ts';
import { Emulator } from '../../src/tvm/emulator.ts';
import { readStack } from '../../src/tvm/stack/read-stack.ts';
import type { StackValue } from '../../src/tvm/stack/stack-value.ts';
import { writeStack } from '../../src/tvm/stack/write-stack.ts';

/** A contract that is on no chain. */
export interface Contract {
  readonly code: Cell;
  readonly data: Cell;
  readonly address: Address;
  /** Dictionary of library cells. */
  readonly libraries: Cell;
}

const emulator: Emulator = await Emulator.create();

/** Library cells of every code, so that codes held as library references run too. */
export function librariesOf(codes: readonly Cell[]): Cell {
  const libraries = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const code of codes) libraries.set(code.hash(), code);
  return beginCell().storeDictDirect(libraries).endCell();
}

/** Runs a get method in the TVM; its exit code must be 0. */
export function askContract(
  contract: Contract,
  method: string,
  stack: readonly StackValue[] = [],
): readonly StackValue[] {
  const { exitCode, stack: answer } = runContract(contract, method, stack);
  expect([method, exitCode]).toEqual([method, 0]);
  return answer;
}

/** Runs a get method in the TVM. */
export function runContract(contract: Contract, method: string, stack: readonly StackValue[] = []) {
  const { exitCode, stack: answer } = emulator.runGetMethod({
    code: contract.code.toBoc().toString('base64'),
    data: contract.data.toBoc().toString('base64'),
    methodId: methodId(method),
    stack: Buffer.from(writeStack(stack)).toString('base64'),
    config: defaultConfig,
    address: contract.address.toRawString(),
    now: 1_750_000_000,
    balance: 1_000_000_000n,
    gasLimit: 1_000_000n,
    randomSeed: new Uint8Array(32),
    libraries: contract.libraries.toBoc().toString('base64'),
    prevBlocks: null,
  });
  return { exitCode, stack: exitCode === 0 ? readStack(Buffer.from(answer, 'base64')) : [] };
}

/** The contract with a bit more in its data, and whether its get method takes that. */
export function withMoreData(contract: Contract, method: string): { longer: Contract; isTaken: boolean } {
  const data = beginCell().storeSlice(contract.data.beginParse()).storeBit(true).endCell();
  const longer = { ...contract, data };
  return { longer, isTaken: runContract(longer, method).exitCode === 0 };
}

export const intIn = (value: StackValue | undefined): bigint | null =>
  value?.kind === 'int' ? value.value : null;

export const addressIn = (value: StackValue | undefined): Address | null =>
  value?.kind === 'slice' ? Cell.fromBoc(Buffer.from(value.boc))[0]!.beginParse().loadMaybeAddress() : null;

export const cellIn = (value: StackValue | undefined): Cell | null =>
  value?.kind === 'cell' ? Cell.fromBoc(Buffer.from(value.boc))[0]! : null;
