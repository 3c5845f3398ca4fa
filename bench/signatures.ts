/**
 * `npm run bench:signatures`: CPU time of checking the signatures of a masterchain block, and of signing one. Blocks and
 * proofs are mainnet's: the first 99 after the zerostate, and 20 after key block 3082181. Every set must prove its block.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cellWith } from '../src/ton/cell/cell-builder.ts';
import { writeBag } from '../src/ton/cell/write-bag.ts';
import { writeCandidate } from '../src/ton/proofs/candidate.ts';
import { checkSignatures } from '../src/ton/proofs/check-signatures.ts';
import { keyId } from '../src/ton/proofs/key-id.ts';
import { simplexSignedBytes } from '../src/ton/proofs/signed-bytes.ts';
import { storeBlockSignatures } from '../src/ton/proofs/store-block-signatures.ts';
import { printTable, round } from './common/report.ts';
import { blocksAfterKey, firstBlocks, type SignedSet } from './signatures/signed-sets.ts';

const HELP = `bench:signatures: CPU time of checking and making the signatures of masterchain blocks
  --data DIR   folder of real chain data (default ../shared/data)
`;
const ROUNDS = 5;
const SIGNED = 2_000;

/** CPU time of one call, microseconds. */
function microseconds(calls: number, work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / calls;
}

function checkAll({ validators, blocks }: SignedSet): number {
  return microseconds(ROUNDS * blocks.length, () => {
    for (let n = 0; n < ROUNDS; n++)
      for (const { signatures, block } of blocks) checkSignatures(signatures, block, validators);
  });
}

/** Signs the block as one simplex validator, and writes the set as a bag. */
function signAll({ blocks: [first] }: SignedSet): number {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  const { block, signatures } = first!;
  return microseconds(SIGNED, () => {
    for (let slot = 0; slot < SIGNED; slot++) {
      const vote = { sessionId: block.rootHash, slot, candidate: writeCandidate(block) };
      const signature = new Uint8Array(sign(null, simplexSignedBytes(vote), privateKey));
      const list = [{ nodeId: keyId(key), signature }];
      const set = { ...signatures, ...vote, kind: 'simplex', signatures: list } as const;
      writeBag(cellWith(storeBlockSignatures, set));
    }
  });
}

async function run(data: string): Promise<void> {
  const first = await firstBlocks(data);
  const rows = [first, blocksAfterKey(data)].map((set) => [
    set.name,
    set.blocks.length,
    round(countSigners(set), 1),
    round(checkAll(set), 1),
  ]);
  printTable('Check of a block', ['blocks', 'number', 'signatures', 'µs of CPU a block'], rows);
  const signing = round(signAll(first), 1);
  printTable(
    'Signing of a block',
    ['', 'µs of CPU a block'],
    [['one validator, simplex, as a bag', signing]],
  );
}

/** Average number of signatures of a block. */
function countSigners({ blocks }: SignedSet): number {
  return blocks.reduce((sum, { signatures }) => sum + signatures.signatures.length, 0) / blocks.length;
}

const DATA = fileURLToPath(new URL('../../shared/data', import.meta.url));
const { values } = parseArgs({
  options: { data: { type: 'string', default: DATA }, help: { type: 'boolean', default: false } },
});
if (values.help) process.stdout.write(HELP);
else await run(values.data);
