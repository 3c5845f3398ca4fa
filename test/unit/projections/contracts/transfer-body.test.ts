import { Address, type Builder, beginCell, ExternalAddress } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readTransferBody } from '../../../../src/projections/contracts/transfer-body.ts';

/* Messages that move tokens: any form of address in a body is accepted. */

const HASH = Buffer.alloc(32, 9);
const account = (first: number) => ({ workchain: 0, address: new Uint8Array(32).fill(9).with(0, first) });
type Store = (builder: Builder) => Builder;

const STANDARD: Store = (builder) => builder.storeAddress(new Address(0, HASH));
const ANYCAST: Store = (builder) =>
  builder.storeUint(0b101, 3).storeUint(4, 5).storeUint(0xf, 4).storeInt(0, 8).storeBuffer(HASH);
const EXTERNAL: Store = (builder) => builder.storeAddress(new ExternalAddress(5n, 7));
const VARIABLE: Store = (builder) =>
  builder.storeUint(0b110, 3).storeUint(256, 9).storeInt(0, 32).storeBuffer(HASH);
const NONE: Store = (builder) => builder.storeAddress(null);

const FORMS = [
  ['none', NONE, null],
  ['standard', STANDARD, account(9)],
  ['anycast', ANYCAST, account(0xf9)],
  ['external', EXTERNAL, 'addr_extern'],
  ['variable', VARIABLE, 'addr_var'],
] as const;
const PAIRS = FORMS.flatMap(([to, store, destination]) =>
  FORMS.map(([back, storeBack, response]) => ({ to, back, store, storeBack, destination, response })),
);

const [JETTON_TRANSFER, JETTON_BURN, NFT_TRANSFER] = [0x0f8a7ea5, 0x595f07bc, 0x5fcc3d14];
const INTERNAL_TRANSFER = 0x178d4519;
const body = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(7, 64);
const behind: Store = (builder) => builder.storeMaybeRef(null).storeCoins(3).storeBit(false).storeUint(6, 8);
const read = (opcode: number, builder: Builder) => readTransferBody(opcode, builder.endCell().toBoc());

describe.each(PAIRS)('a body with addresses $to and $back', ({ store, storeBack, destination, response }) => {
  it('is a transfer of jettons', () => {
    const built = behind(storeBack(store(body(JETTON_TRANSFER).storeCoins(11))));
    expect(read(JETTON_TRANSFER, built)).toMatchObject({
      kind: 'jetton_transfer',
      queryId: 7n,
      amount: 11n,
      destination,
      response,
      forwardAmount: 3n,
    });
  });

  it('is a transfer of an NFT', () => {
    expect(read(NFT_TRANSFER, behind(storeBack(store(body(NFT_TRANSFER)))))).toMatchObject({
      kind: 'nft_transfer',
      destination,
      response,
      forwardAmount: 3n,
    });
  });
});

it.each(FORMS)('a body with address %s is a burn', (_form, store, response) => {
  const built = store(body(JETTON_BURN).storeCoins(11)).storeMaybeRef(null);
  expect(read(JETTON_BURN, built)).toMatchObject({
    kind: 'jetton_burn',
    amount: 11n,
    destination: null,
    response,
  });
});

it('a body that ends within an address is none', () => {
  expect(read(JETTON_BURN, body(JETTON_BURN).storeCoins(11).storeUint(0b01, 2))).toBeNull();
});

it.each(FORMS)(
  'a body with response address %s may be a mint, whatever its payload is',
  (_form, store, response) => {
    const head = () => store(NONE(body(INTERNAL_TRANSFER).storeCoins(11))).storeCoins(3);
    const found = {
      kind: 'jetton_mint',
      queryId: 7n,
      amount: 11n,
      destination: null,
      response,
      forwardAmount: 3n,
    };
    const payload = beginCell().storeUint(6, 8).endCell();
    const readMint = (builder: Builder) => read(INTERNAL_TRANSFER, builder);
    expect(readMint(head().storeBit(true).storeRef(payload))).toMatchObject(found);
    const inline = readMint(head().storeBit(false).storeUint(6, 8))!;
    expect(inline).toMatchObject(found);
    expect(inline.forwardPayload).toEqual(readMint(head().storeBit(true).storeRef(payload))!.forwardPayload);
    for (const odd of [head(), head().storeBit(true)])
      expect(readMint(odd)).toMatchObject({ ...found, forwardPayload: new Uint8Array(0) });
    expect(read(INTERNAL_TRANSFER, body(INTERNAL_TRANSFER))).toBeNull();
  },
);
