import type { AccountAddress } from '../../../ton/store/store-address.ts';
import type { StackValue } from '../../../tvm/stack/stack-value.ts';
import { NotThisTokenError, readAddress } from './token-stack.ts';

/** Runs a get method; null if it ends with an exit code. */
export type Ask = (
  address: AccountAddress,
  method: string,
  stack?: readonly StackValue[],
) => Promise<readonly StackValue[] | null>;

/** The same of one account. */
export type AskAccount = (method: string) => Promise<readonly StackValue[] | null>;

/** True if a get method succeeded and returned the values of its standard; further values are ignored (v3-rules.md 6). */
export function hasValues(
  values: readonly StackValue[] | null,
  count: number,
): values is readonly StackValue[] {
  return values !== null && values.length >= count;
}

/** Returns the first `count` values of a get method. @throws NotThisTokenError it failed or returned fewer */
export async function needValues(
  ask: AskAccount,
  method: string,
  count: number,
): Promise<readonly StackValue[]> {
  const values = await ask(method);
  const found = values ? `${values.length}` : 'a failure';
  if (hasValues(values, count)) return values.slice(0, count);
  throw new NotThisTokenError(`${count} values of ${method}`, found);
}

/**
 * Checks the address that a parent's get method gave its child; null: the method failed.
 * @throws NotThisTokenError
 */
export function requireNamed(child: AccountAddress, named: readonly StackValue[] | null): void {
  if (!named) throw new NotThisTokenError('a parent that gives it its address', 'a failure');
  requireSame(child, readAddress(named[0]));
}

/**
 * Any account may deploy a contract that claims to belong to another: that one has to confirm it. @throws
 * NotThisTokenError
 */
function requireSame(expected: AccountAddress, found: AccountAddress | null): void {
  const isSame =
    found?.workchain === expected.workchain && found.address.toHex() === expected.address.toHex();
  if (!isSame) throw new NotThisTokenError('its own address', found ? found.address.toHex() : 'none');
}
