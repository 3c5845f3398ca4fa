import { describe, expect, it } from 'vitest';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import {
  detectPool,
  type PoolMessage,
  SWAP_LOG,
  SWAP_LOG_V2,
} from '../../../../src/ton/contracts/dedust-pool.ts';

const NONE: Uint8Array = new Uint8Array(0);
const [TRANSFER, PAYOUT, NATIVE] = [0x0f8a7ea5, 0x3216ca09, 0xa5a7cbf8];

const sent = (txLt: bigint, opcode: number, destination: string | null, body = NONE): PoolMessage => ({
  step: Number(txLt) * 10,
  txLt,
  opcode,
  destination,
  body,
});
const log = (txLt: bigint, isXToY: boolean) =>
  sent(txLt, SWAP_LOG_V2, null, writeBag(new CellBuilder().uint(SWAP_LOG_V2, 32).bit(isXToY).cell()));

describe('the assets of a v2 pool', () => {
  it('are told by what it paid in both directions, each the first time', () => {
    const messages = [
      ...[log(1n, true), sent(1n, TRANSFER, '0:Y')],
      ...[log(2n, true), sent(2n, TRANSFER, '0:OTHER')],
      ...[sent(3n, TRANSFER, '0:X'), log(3n, false)],
    ];
    expect(detectPool(messages)).toEqual({ step: 30, wallets: ['0:X', '0:Y'] });
  });

  it.each([PAYOUT, NATIVE])('are TON where it paid with %i', (op) => {
    const messages = [log(1n, true), sent(1n, op, '0:U'), log(2n, false), sent(2n, TRANSFER, '0:X')];
    expect(detectPool(messages)).toEqual({ step: 20, wallets: ['0:X', null] });
  });

  it('are not known by one direction, by a swap without payment, or by one with two', () => {
    expect(detectPool([log(1n, true), sent(1n, TRANSFER, '0:Y')])).toBeNull();
    expect(detectPool([log(1n, true), sent(1n, TRANSFER, '0:Y'), log(2n, false)])).toBeNull();
    const twice = [sent(2n, TRANSFER, '0:X'), sent(2n, PAYOUT, '0:U')];
    expect(detectPool([log(1n, true), sent(1n, TRANSFER, '0:Y'), log(2n, false), ...twice])).toBeNull();
    expect(detectPool([sent(1n, TRANSFER, '0:Y'), sent(2n, SWAP_LOG_V2, null)])).toBeNull();
  });
});

it('the assets of a v1 pool stand in its log; what begins the same is passed over', () => {
  const asset = new Uint8Array(32).fill(0xab);
  const body = new CellBuilder().uint(SWAP_LOG, 32).uint(0, 4).uint(1, 4).int(0, 8).bytes(asset).cell();
  const broken = new CellBuilder().uint(SWAP_LOG, 32).cell();
  const messages = [sent(1n, SWAP_LOG, null, writeBag(broken)), sent(2n, SWAP_LOG, null, writeBag(body))];
  expect(detectPool(messages)).toEqual({ step: 20, assets: [null, `0:${'AB'.repeat(32)}`] });
});
