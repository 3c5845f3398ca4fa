import type { SeededRandom } from '../../../helpers/seeded-random.ts';
import type { Attack } from '../attack.ts';
import { type Call, jsonCall } from '../http-call.ts';
import { chainOfCells, fanOfCells, type RawCell, rawBag } from '../payloads/raw-bag.ts';
import { cellCalls, messageCalls } from './method-calls.ts';

const EMPTY: RawCell = { bits: '', refs: [] };

/** Bags of cells that lie, or are far larger than what is in them. */
export const hostileBags: Attack = {
  name: 'hostile bags of cells',
  holds: 'each is refused with 4xx, or is one that may be read',
  async run({ accounts, random, sendAll }) {
    const bags = [...lies(), ...mutants(random)];
    const calls = bags.flatMap((bag) => callsWith(accounts.wallet, bag));
    await sendAll(calls, 4);
    await sendAll(callsWith(accounts.wallet, manyCells()), 1);
  },
};

function callsWith(address: string, bag: Buffer): Call[] {
  const boc = bag.toString('base64');
  return [
    ...messageCalls(bag).slice(0, 2),
    ...cellCalls(address, 'seqno', bag).slice(0, 2),
    jsonCall('/api/v3/estimateFee', { address, body: boc, ignore_chksig: true }),
    jsonCall('/api/v2/estimateFee', { address, body: boc, init_code: boc, init_data: boc }),
  ];
}

function lies(): Buffer[] {
  const chain = chainOfCells(3);
  const exotic = (bits: string, refs: number[] = []): RawCell => ({ bits, refs, exotic: true });
  const zeros = (bytes: number) => '0'.repeat(bytes * 8);
  return [
    Buffer.alloc(0),
    Buffer.from('b5ee9c72', 'hex'),
    rawBag(chain, { badCrc: true }),
    rawBag([{ bits: '', refs: [0] }]),
    rawBag([
      { bits: '', refs: [1] },
      { bits: '', refs: [0] },
    ]),
    rawBag([{ bits: '', refs: [7] }]),
    rawBag(chain, { cells: 0xff_ffff }),
    rawBag(chain, { cells: 0xffff_ffff, refBytes: 4 }),
    rawBag(chain, { roots: 0xffff_ffff, refBytes: 4 }),
    rawBag(chain, { roots: 0 }),
    rawBag(chain, { rootIndex: 200 }),
    rawBag(chain, { totalBytes: 2 ** 50 }),
    rawBag(chain).subarray(0, -9),
    // Library, pruned branch, Merkle proof and update, and a type that is none.
    rawBag([exotic(`00000010${zeros(32)}`)]),
    rawBag([exotic(`0000000100000001${zeros(34)}`)]),
    rawBag([exotic(`00000011${zeros(34)}`, [1]), EMPTY]),
    rawBag([exotic(`00000100${zeros(68)}`, [1, 2]), EMPTY, { bits: '1', refs: [] }]),
    rawBag([exotic('11111111')]),
    rawBag([exotic('')]),
    rawBag(fanOfCells(60)),
  ];
}

/** A bag of 3,000 kinds of damage would be a fuzzer: a few of each run's own are enough here. */
function mutants(random: SeededRandom): Buffer[] {
  return Array.from({ length: 24 }, () => {
    const bag = rawBag(chainOfCells(20));
    for (let changes = 1 + random.below(4); changes > 0; changes--)
      bag[random.below(bag.length)] = random.below(256);
    return bag;
  });
}

/** 2^20 cells: the body limit must be enough to refuse it. */
function manyCells(): Buffer {
  return rawBag(Array.from({ length: 2 ** 20 }, () => EMPTY));
}
