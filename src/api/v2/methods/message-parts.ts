import type { ParsedAddress } from '../../../ton/address/address.ts';
import type { Cell } from '../../../ton/cell/cell.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import { stateInitCell } from '../../../ton/store/store-state-init.ts';
import { requestCell } from '../../chain/request-cell.ts';
import { optional, type ParameterValues, required } from '../../parameters/parameter.ts';
import { InvalidRequest } from '../errors.ts';
import { BOC } from '../parameters/forms.ts';
import { ACCOUNT } from '../parameters/history-parameters.ts';

/** An external message in parts. */
export const MESSAGE_PARAMETERS = {
  address: ACCOUNT,
  body: required(BOC, 'body of the message', 'empty body'),
  init_code: optional(BOC, 'code that comes with the message'),
  init_data: optional(BOC, 'data that comes with the message'),
};

/** @throws HttpError 400 */
export function messageParts(values: ParameterValues<typeof MESSAGE_PARAMETERS>): {
  readonly address: AccountAddress;
  readonly body: Cell;
  /** A StateInit. */
  readonly init: Cell | null;
} {
  const part = (boc: Uint8Array | undefined) => (boc ? requestCell(boc) : null);
  const [code, data] = [part(values.init_code), part(values.init_data)];
  return {
    address: chainAddress(values.address),
    body: requestCell(values.body),
    init: code || data ? stateInitCell(code, data) : null,
  };
}

/** An address as messages have it, with a workchain of eight bits. @throws InvalidRequest */
export function chainAddress({ workchain, hash }: ParsedAddress): AccountAddress {
  if (workchain !== (workchain << 24) >> 24) throw new InvalidRequest('failed to parse address');
  return { workchain, address: hash };
}
