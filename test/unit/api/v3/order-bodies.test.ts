import { beginCell, ExternalAddress } from '@ton/core';
import { expect, it } from 'vitest';
import { parseOrderBody } from '../../../../src/api/v3/answers/custody/order-bodies.ts';

it('a transfer of an order to an address that names no account has no destination', () => {
  const body = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(7, 64)
    .storeCoins(11)
    .storeAddress(new ExternalAddress(5n, 7))
    .storeAddress(null)
    .storeMaybeRef(null)
    .storeCoins(3)
    .storeBit(false)
    .endCell();
  expect(parseOrderBody(body.toBoc())).toMatchObject({
    type: 'jetton_transfer',
    fields: { amount: '11', destination: null, response: null, forward_amount: '3' },
  });
});
