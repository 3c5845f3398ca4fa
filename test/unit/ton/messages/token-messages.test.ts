import { Address, type Builder, beginCell, type Cell, ExternalAddress } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { knownBodies } from '../../../../src/api/known-bodies.ts';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellError } from '../../../../src/ton/boc/cell-error.ts';
import { CellSlice } from '../../../../src/ton/boc/cell-slice.ts';
import { withoutCrc } from '../../../../src/ton/boc/plain-bag.ts';
import { serializeCell } from '../../../../src/ton/boc/serialize.ts';
import { cellWith } from '../../../../src/ton/cell/cell-builder.ts';
import { toBase64 } from '../../../../src/ton/hash/base64.ts';
import {
  JETTON_BURN_OP,
  loadBurnPayload,
  loadJettonBurn,
  storeJettonBurn,
} from '../../../../src/ton/messages/jetton-burn.ts';
import {
  INTERNAL_TRANSFER_OP,
  loadInternalTransfer,
} from '../../../../src/ton/messages/jetton-internal-transfer.ts';
import {
  JETTON_MINT_OP,
  loadJettonMint,
  loadMintedJettons,
  MINTER_MINT_OP,
} from '../../../../src/ton/messages/jetton-mint.ts';
import {
  JETTON_NOTIFICATION_OP,
  loadJettonNotification,
} from '../../../../src/ton/messages/jetton-notification.ts';
import {
  JETTON_TRANSFER_OP,
  loadJettonTransfer,
  storeJettonTransfer,
} from '../../../../src/ton/messages/jetton-transfer.ts';
import { loadOwnershipAssigned, OWNERSHIP_ASSIGNED_OP } from '../../../../src/ton/messages/nft-ownership.ts';
import {
  loadNftTransfer,
  NFT_TRANSFER_OP,
  storeNftTransfer,
} from '../../../../src/ton/messages/nft-transfer.ts';
import { loadPayload, openPayload, payloadBag } from '../../../../src/ton/messages/payload.ts';
import { Budget } from '../../../../src/ton/schema/reading.ts';
import type { MsgAddress } from '../../../../src/ton/tlb/msg-address.ts';
import type { Part } from '../../../../src/ton/tlb/part.ts';
import { SeededRandom } from '../../../helpers/seeded-random.ts';

/*
 * The readers of token messages against the TL-B decoder of bodies, which reads the same messages by their layouts, and
 * against bodies of @ton/core.
 */

type Plain = Readonly<Record<string, unknown>>;

/** A message: its layout's name, how @ton/core writes it, and its fields by the names of the layout. */
interface Kind {
  readonly name: string;
  readonly op: number;
  readonly make: (random: SeededRandom, builder: Builder) => Builder;
  readonly load: (slice: CellSlice) => Plain;
}

const ROUNDS = 40;
const big = (random: SeededRandom, bits: number) =>
  BigInt(`0x${bytes(random, 16).toString('hex')}`) >> BigInt(128 - random.below(bits + 1));
const bytes = (random: SeededRandom, count: number) =>
  Buffer.from(Array.from({ length: count }, () => random.below(256)));
const queryId = (random: SeededRandom) => big(random, 64);
const coins = (random: SeededRandom) => big(random, 120);

/** Any form of an address. */
function address(random: SeededRandom, builder: Builder): Builder {
  const hash = bytes(random, 32);
  switch (random.below(5)) {
    case 0:
      return builder.storeAddress(null);
    case 1:
      return builder.storeAddress(new ExternalAddress(5n, 7));
    case 2:
      return builder.storeUint(0b110, 3).storeUint(256, 9).storeInt(0, 32).storeBuffer(hash);
    case 3:
      return builder.storeUint(0b101, 3).storeUint(4, 5).storeUint(0xf, 4).storeInt(0, 8).storeBuffer(hash);
    default:
      return builder.storeAddress(new Address(-random.below(2), hash));
  }
}

const leaf = (random: SeededRandom) => beginCell().storeUint(random.below(256), 8).endCell();
const custom = (random: SeededRandom, builder: Builder) =>
  builder.storeMaybeRef(random.below(2) === 0 ? null : leaf(random));
const payload = (random: SeededRandom, builder: Builder) =>
  random.below(2) === 0
    ? builder.storeBit(false).storeUint(random.below(256), 8)
    : builder.storeBit(true).storeRef(leaf(random));

const cellText = (slice: CellSlice, cell: number) =>
  cell < 0 ? null : toBase64(serializeCell(slice.boc, cell, false));
const partText = (slice: CellSlice, part: Part | null) =>
  part && toBase64(withoutCrc(payloadBag(slice.boc, part)));

const KINDS: readonly Kind[] = [
  {
    name: 'jetton_transfer',
    op: JETTON_TRANSFER_OP,
    make: (random, builder) => {
      const head = address(random, address(random, builder.storeCoins(coins(random))));
      return payload(random, custom(random, head).storeCoins(coins(random)));
    },
    load: (slice) => {
      const found = loadJettonTransfer(slice);
      return {
        query_id: found.queryId,
        amount: found.amount,
        destination: found.destination,
        response_destination: found.responseDestination,
        custom_payload: cellText(slice, found.customPayload),
        forward_ton_amount: found.forwardAmount,
        forward_payload: partText(slice, found.forwardPayload),
      };
    },
  },
  {
    name: 'nft_transfer',
    op: NFT_TRANSFER_OP,
    make: (random, builder) =>
      payload(random, custom(random, address(random, address(random, builder))).storeCoins(coins(random))),
    load: (slice) => {
      const found = loadNftTransfer(slice);
      return {
        query_id: found.queryId,
        new_owner: found.newOwner,
        response_destination: found.responseDestination,
        custom_payload: cellText(slice, found.customPayload),
        forward_amount: found.forwardAmount,
        forward_payload: partText(slice, found.forwardPayload),
      };
    },
  },
  {
    name: 'nft_ownership_assigned',
    op: OWNERSHIP_ASSIGNED_OP,
    make: (random, builder) => payload(random, address(random, builder)),
    load: (slice) => {
      const { queryId, previousOwner, forwardPayload } = loadOwnershipAssigned(slice);
      return {
        query_id: queryId,
        prev_owner: previousOwner,
        forward_payload: partText(slice, forwardPayload),
      };
    },
  },
  {
    name: 'jetton_burn',
    op: JETTON_BURN_OP,
    make: (random, builder) => custom(random, address(random, builder.storeCoins(coins(random)))),
    load: (slice) => {
      const { queryId, amount, responseDestination } = loadJettonBurn(slice);
      return {
        query_id: queryId,
        amount,
        response_destination: responseDestination,
        custom_payload: cellText(slice, loadBurnPayload(slice)),
      };
    },
  },
  {
    name: 'jetton_internal_transfer',
    op: INTERNAL_TRANSFER_OP,
    make: (random, builder) => {
      const head = address(random, address(random, builder.storeCoins(coins(random))));
      return payload(random, head.storeCoins(coins(random)));
    },
    load: (slice) => {
      const found = loadInternalTransfer(slice);
      return {
        query_id: found.queryId,
        amount: found.amount,
        from: found.from,
        response_address: found.responseAddress,
        forward_ton_amount: found.forwardAmount,
        forward_payload: partText(slice, loadPayload(slice)),
      };
    },
  },
  {
    name: 'jetton_notify',
    op: JETTON_NOTIFICATION_OP,
    make: (random, builder) => payload(random, address(random, builder.storeCoins(coins(random)))),
    load: (slice) => {
      const { queryId, amount, sender } = loadJettonNotification(slice);
      return { query_id: queryId, amount, sender, forward_payload: partText(slice, loadPayload(slice)) };
    },
  },
  {
    name: 'minter_jetton_mint',
    op: MINTER_MINT_OP,
    make: (random, builder) => address(random, builder).storeCoins(coins(random)).storeRef(leaf(random)),
    load: (slice) => {
      const { queryId, receiver, tonAmount } = loadJettonMint(slice);
      const master_msg = cellText(slice, slice.ref());
      return { query_id: queryId, to_address: receiver, ton_amount: tonAmount, master_msg };
    },
  },
];

/** A value of a loaded message in the words of `ofDecoder`. */
function ofReader(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  const found = value as MsgAddress;
  if (found.kind !== 'std') return found.kind;
  const depth = found.anycast?.bitLength ?? null;
  return `${found.workchain}:${Buffer.from(found.address).toString('hex')} ${depth}`;
}

/** A decoded value without the names of its types. */
function ofDecoder(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  const json = value as Readonly<Record<string, unknown>>;
  switch (json['@type']) {
    case 'var_uint':
      return json.value;
    case 'nanocoins':
      return ofDecoder(json.amount);
    case 'nothing_from_maybe':
      return null;
    case 'something_from_maybe':
    case 'first_from_either':
    case 'second_from_either':
      return ofDecoder(json.value);
    case 'addr_none':
      return 'none';
    case 'addr_external':
      return 'extern';
    case 'addr_var':
      return 'var';
    case 'addr_std': {
      const anycast = json.anycast as { readonly value?: { readonly depth: string } };
      return `${json.workchain_id}:${(json.address as string).toLowerCase()} ${anycast.value?.depth ?? null}`;
    }
    default:
      return value;
  }
}

const mapped = (fields: Plain, map: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));

/** A body at its place after the op. */
function opened(body: Cell): CellSlice {
  const boc = parseBoc(body.toBoc());
  const slice = new CellSlice(boc, onlyRoot(boc));
  slice.skipBits(32);
  return slice;
}

/** The fields that a reader gives; null if it refuses the body. */
function loaded({ load }: Kind, body: Cell): Plain | null {
  try {
    return mapped(load(opened(body)), ofReader);
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}

/** The fields that the decoder gives; null if the body has another layout or none. */
function decoded({ name }: Kind, body: Cell): Plain | null {
  const found = knownBodies().decode(body.toBoc(), new Budget(2 ** 20));
  if (!('value' in found)) return null;
  const { '@type': type, ...fields } = found.value as Plain;
  return type === name ? mapped(fields, ofDecoder) : null;
}

const made = ({ op, make }: Kind, random: SeededRandom) =>
  make(random, beginCell().storeUint(op, 32).storeUint(queryId(random), 64)).endCell();

/** The first bits and references of a cell. */
function cut(cell: Cell, bits: number, refs: number): Cell {
  const builder = beginCell().storeBits(cell.bits.substring(0, bits));
  for (const ref of cell.refs.slice(0, refs)) builder.storeRef(ref);
  return builder.endCell();
}

describe.each(KINDS)('$name', (kind) => {
  it('is read as its layout is decoded', () => {
    const random = new SeededRandom(1);
    for (let round = 0; round < ROUNDS; round++) {
      const body = made(kind, random);
      expect(loaded(kind, body)).toEqual(decoded(kind, body));
    }
  });

  it('is refused if it is cut off, unless it ends before an optional payload', () => {
    const random = new SeededRandom(2);
    for (let round = 0; round < ROUNDS; round++) {
      const body = made(kind, random);
      const bits = 32 + random.below(body.bits.length - 31);
      const shorter = cut(body, bits, random.below(body.refs.length + 1));
      const [found, known] = [loaded(kind, shorter), decoded(kind, shorter)];
      if (known) expect(found).toEqual(known);
      else if (found) expect([found.forward_payload ?? null, found.custom_payload ?? null]).toContain(null);
      // Nothing before the payloads is optional.
      if (bits < 32 + 64 + 4) expect(found).toBeNull();
    }
  });
});

describe('a payload', () => {
  it('may be left out', () => {
    const transfer = beginCell().storeUint(JETTON_TRANSFER_OP, 32).storeUint(5, 64).storeCoins(7);
    const body = transfer.storeAddress(null).storeAddress(null).storeBit(false).storeCoins(0).endCell();
    expect(loadJettonTransfer(opened(body)).forwardPayload).toBeNull();
    const burn = beginCell().storeUint(JETTON_BURN_OP, 32).storeUint(5, 64).storeCoins(7).storeAddress(null);
    const slice = opened(burn.endCell());
    loadJettonBurn(slice);
    expect(loadBurnPayload(slice)).toBe(-1);
  });

  it('that is an exotic cell is serialised, not opened', () => {
    const library = beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 7)).endCell({ exotic: true });
    const transfer = beginCell().storeUint(JETTON_TRANSFER_OP, 32).storeUint(5, 64).storeCoins(7);
    const body = transfer.storeAddress(null).storeAddress(null).storeBit(false).storeCoins(0);
    const slice = opened(body.storeMaybeRef(library).endCell());
    const { forwardPayload } = loadJettonTransfer(slice);
    expect(Buffer.from(payloadBag(slice.boc, forwardPayload!))).toEqual(library.toBoc());
    expect(() => openPayload(slice.boc, forwardPayload!)).toThrow(CellError);
  });
});

describe('stored messages are the cells of @ton/core', () => {
  const [to, from] = [1, 2].map((byte) => ({ workchain: 0, address: new Uint8Array(32).fill(byte) }));
  const core = ({ workchain, address: hash }: { workchain: number; address: Uint8Array }) =>
    new Address(workchain, Buffer.from(hash));
  const text = beginCell().storeUint(0x5a0d0002, 32).storeCoins(3).endCell();
  const stored = cellWith((builder) => builder.uint(0x5a0d0002, 32).coins(3n), null);
  const PAYLOADS = [
    ['no payload', null, (builder: Builder) => builder.storeBit(false)],
    ['a payload in a reference', { ref: stored }, (builder: Builder) => builder.storeMaybeRef(text)],
    [
      'an inline payload',
      { inline: stored },
      (builder: Builder) => builder.storeBit(false).storeSlice(text.beginParse()),
    ],
  ] as const;

  it.each(PAYLOADS)('jetton_transfer with %s', (_what, forwardPayload, store) => {
    const body = cellWith(storeJettonTransfer, {
      queryId: 5n,
      amount: 10n ** 30n,
      destination: to!,
      responseDestination: from!,
      forwardAmount: 9n,
      forwardPayload,
    });
    const wanted = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(5, 64)
      .storeCoins(10n ** 30n);
    wanted.storeAddress(core(to!)).storeAddress(core(from!)).storeMaybeRef(null).storeCoins(9);
    expect(Buffer.from(body.hash())).toEqual(store(wanted).endCell().hash());
  });

  it.each(PAYLOADS)('nft_transfer with %s', (_what, forwardPayload, store) => {
    const body = cellWith(storeNftTransfer, {
      queryId: 2n ** 64n - 1n,
      newOwner: to!,
      responseDestination: from!,
      forwardAmount: 0n,
      forwardPayload,
    });
    const wanted = beginCell()
      .storeUint(0x5fcc3d14, 32)
      .storeUint(2n ** 64n - 1n, 64);
    wanted.storeAddress(core(to!)).storeAddress(core(from!)).storeMaybeRef(null).storeCoins(0);
    expect(Buffer.from(body.hash())).toEqual(store(wanted).endCell().hash());
  });

  it('jetton_burn', () => {
    const body = cellWith(storeJettonBurn, { queryId: 5n, amount: 11n, responseDestination: from! });
    const wanted = beginCell().storeUint(0x595f07bc, 32).storeUint(5, 64).storeCoins(11);
    wanted.storeAddress(core(from!)).storeMaybeRef(null);
    expect(Buffer.from(body.hash())).toEqual(wanted.endCell().hash());
  });
});

it('the minted amount is the amount of the internal transfer', () => {
  const inner = beginCell().storeUint(INTERNAL_TRANSFER_OP, 32).storeUint(6, 64).storeCoins(8).endCell();
  const mint = beginCell().storeUint(JETTON_MINT_OP, 32).storeUint(5, 64).storeAddress(null).storeCoins(4);
  const slice = opened(mint.storeRef(inner).endCell());
  expect(loadJettonMint(slice)).toMatchObject({ queryId: 5n, tonAmount: 4n });
  expect(loadMintedJettons(slice)).toEqual({ queryId: 6n, amount: 8n });
});
