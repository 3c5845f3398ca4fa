import type { Attack } from '../attack.ts';
import { type Call, jsonCall } from '../http-call.ts';
import { bitsOf } from '../payloads/external-message.ts';
import { chainOfCells, fanOfCells, type RawCell, rawBag, under } from '../payloads/raw-bag.ts';

const PATH = '/api/v3/decode';
const DEPTHS = [10, 11, 200, 512, 1_000];
/** Opcodes whose layouts contain other cells, lists or dictionaries (decoded-bodies.md), and wallet opcodes. */
const OPCODES = [
  0x0f8a7ea5, 0x178d4519, 0x7362d09c, 0x595f07bc, 0x5fcc3d14, 0x05138d91, 0x7369676e, 0x73696e74, 0x6578746e,
  0xae42e5a4, 0,
];

/** Bodies that are deep, that fan out, or that have a known opcode without data, many in one request. */
export const hostileBodies: Attack = {
  name: 'hostile bodies to be decoded',
  holds: 'each is refused with 4xx or answered in bounded size, and bodies are decoded afterwards',
  async run({ sendAll, send, must, random }) {
    const shapes = DEPTHS.flatMap((depth) => [chainOfCells(depth), fanOfCells(depth)]);
    const bags = shapes.flatMap((cells) => OPCODES.map((opcode) => rawBag(under(bitsOf(opcode, 32), cells))));
    const bodies = [...bags, ...OPCODES.map((opcode) => noise(opcode, random.below(2 ** 31)))];
    const calls: Call[] = bodies.flatMap((bag) => [
      jsonCall(PATH, { bodies: [bag.toString('base64')] }),
      { path: `${PATH}?bodies=${bag.subarray(0, 8_000).toString('hex')}` },
    ]);
    await sendAll(calls, 4);
    const [small, fan] = [rawBag(chainOfCells(3)), rawBag(under(bitsOf(OPCODES[0]!, 32), fanOfCells(60)))];
    for (const bag of [small, fan]) {
      for (const count of [1_000, 1_001, 5_000]) {
        const list = Array.from({ length: count }, () => bag.toString('base64').slice(0, 200_000 / count));
        const { status, bytes } = await send(jsonCall(PATH, { bodies: list }));
        must(status === 200 || (status >= 400 && status < 500), `${count} bodies: ${status}`);
        must(bytes < 64 * 1024 ** 2, `${count} bodies: an answer of ${bytes} bytes`);
      }
    }
    const { status, text } = await send({ path: `${PATH}?opcodes=0x0f8a7ea5` });
    must(status === 200 && text.includes('jetton_transfer'), `afterwards: ${status} ${text.slice(0, 200)}`);
  },
};

/** A known opcode and bits that are not its layout, with children to go on into. */
function noise(opcode: number, seed: number): Buffer {
  const bits = bitsOf(opcode, 32) + bitsOf(seed, 31).repeat(20);
  const leaf: RawCell = { bits: bitsOf(seed, 31).repeat(8), refs: [] };
  return rawBag([{ bits, refs: [1, 2, 3, 4] }, leaf, leaf, leaf, leaf]);
}
