import { describe, expect, it } from 'vitest';
import type { MessageFilter } from '../../../../../src/api/entities/messages/filter.ts';
import { messageMatches } from '../../../../../src/api/entities/messages/matches.ts';
import { getPlace } from '../../../../../src/api/entities/transactions/scan-by-message.ts';
import type { PackedMessage } from '../../../../../src/ton/columns/message-pack.ts';

const account = (byte: number) => ({
  workchain: 0,
  hash: Buffer.alloc(32, byte).toString('hex').toUpperCase(),
});
const std = (byte: number) => ({ kind: 'std' as const, workchain: 0, hash: Buffer.alloc(32, byte) });

/** A message of 0xa1 to 0xb2 with the opcode 5, limited to the fields of filters. */
function message(lt: bigint, hash: number, more: object = {}): PackedMessage {
  return {
    direction: 'out',
    kind: 'internal',
    hash: Buffer.alloc(32, hash),
    hashNorm: Buffer.alloc(32, hash),
    bodyHash: Buffer.alloc(32, 9),
    createdLt: lt,
    source: std(0xa1),
    destination: std(0xb2),
    opcode: 5,
    ...more,
  } as unknown as PackedMessage;
}

const key8 = (byte: number) => `${Buffer.alloc(8, byte).readBigUInt64BE()}`;
const row = (messages: readonly PackedMessage[]) => ({ messages, lt: '100', workchain: 0, account: 'AB' });

describe('filters on the messages of a transaction', () => {
  const one = message(7n, 1, { hashNorm: Buffer.alloc(32, 2) });
  const table: readonly (readonly [MessageFilter, boolean])[] = [
    [{}, true],
    [{ hashes: [] }, true],
    [{ hashes: ['01'.repeat(32)] }, true],
    [{ hashes: ['00'.repeat(32), '02'.repeat(32)] }, true],
    [{ hashes: ['03'.repeat(32)] }, false],
    [{ bodyHash: '09'.repeat(32) }, true],
    [{ bodyHash: '01'.repeat(32) }, false],
    [{ opcode: 5 }, true],
    [{ opcode: 0 }, false],
    [{ direction: 'out' }, true],
    [{ direction: 'in' }, false],
    [{ source: account(0xa1), destination: account(0xb2) }, true],
    [{ source: account(0xb2) }, false],
    [{ destination: { ...account(0xb2), workchain: -1 } }, false],
    [{ source: null }, false],
    [{ destination: null }, false],
  ];
  it.each(table)('%j: %s', (filter, passes) => expect(messageMatches(filter, one)).toBe(passes));

  it('a message without opcode and without source', () => {
    const external = message(0n, 1, { kind: 'ext_in', opcode: null, source: { kind: 'none' } });
    expect(messageMatches({ opcode: 0 }, external)).toBe(false);
    expect(messageMatches({ source: account(0) }, external)).toBe(false);
    expect(messageMatches({ source: null }, external)).toBe(true);
  });
});

describe('the place of a transaction among messages', () => {
  const received = message(500n, 8, { direction: 'in' });
  it('is that of the last message that it sent', () => {
    const sent = [message(101n, 3), message(102n, 4), message(102n, 2), message(103n, 5, { opcode: 6 })];
    expect(getPlace(row([received, ...sent]), { opcode: 5 })).toEqual({
      createdLt: '102',
      hash8: key8(4),
      lt: '100',
      workchain: 0,
      account: 'AB',
    });
  });

  it('is that of the received message if it sent none of them', () => {
    const rows = row([received, message(101n, 3)]);
    expect(getPlace(rows, { direction: 'in' })).toMatchObject({ createdLt: '500', hash8: key8(8) });
    expect(getPlace(rows, { hashes: ['08'.repeat(32)] })).toMatchObject({ createdLt: '500' });
    expect(getPlace(rows, { opcode: 1 })).toBeNull();
  });
});
