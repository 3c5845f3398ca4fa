import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runTolkCompiler } from '@ton/tolk-js';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { readCell } from '../../src/ton/cell/cells-of-bag.ts';

const CONTRACTS = resolve(import.meta.dirname, '../../src/localnet/contracts');

/** Replacements in a source file: each original text must be there once. */
type Changes = readonly (readonly [original: string, changed: string])[];

/** Compiles a contract of the local chain with changes. */
async function compileChanged(name: string, changes: Changes): Promise<Cell> {
  const entrypointFileName = `${name}.tolk`;
  const result = await runTolkCompiler({
    entrypointFileName,
    fsReadCallback: (path) => {
      const source = readFileSync(resolve(CONTRACTS, path), 'utf8');
      return path === entrypointFileName ? changes.reduce(replaceOnce, source) : source;
    },
  });
  if (result.status === 'error') throw new Error(`${name}.tolk with changes: ${result.message}`);
  return readCell(Uint8Array.fromBase64(result.codeBoc64));
}

function replaceOnce(source: string, [original, changed]: Changes[number]): string {
  const count = source.split(original).length - 1;
  if (count !== 1) throw new Error(`"${original}" is ${count} times in the source, expected once`);
  return source.replace(original, () => changed);
}

/** The amount that a changed wallet, and the query id that a changed item, refuses: the message bounces. */
export const REFUSED = 13n;

/** Code of a jetton wallet that keeps 10 % of what it receives from other wallets, and refuses the amount 13. */
export function feeWalletCode(): Promise<Cell> {
  return compileChanged('jetton-wallet', [
    [
      '            storage.balance += message.amount;\n',
      `            assert (message.amount != ${REFUSED}) throw 1013;
            var credited = message.amount;
            if (in.senderAddress != storage.minter) {
                credited -= message.amount / 10;
            }
            storage.balance += credited;\n`,
    ],
    [
      '                        amount: message.amount,\n                        from: message.from,',
      '                        amount: credited,\n                        from: message.from,',
    ],
  ]);
}

/** Code of a jetton wallet that sends 10 % less than it takes, and refuses to send the amount 13. */
export function sparingWalletCode(): Promise<Cell> {
  return compileChanged('jetton-wallet', [
    [
      '            storage.take(in.senderAddress, message.amount);\n            createMessage({\n                bounce: BounceMode.Only256BitsOfBody,\n                value: 0,\n                dest: walletOf',
      `            assert (message.amount != ${REFUSED}) throw 1013;
            storage.take(in.senderAddress, message.amount);
            createMessage({
                bounce: BounceMode.Only256BitsOfBody,
                value: 0,
                dest: walletOf`,
    ],
    [
      '                    amount: message.amount,\n                    from: storage.owner,\n                    responseTo: message.responseTo,\n                    forwardAmount',
      '                    amount: message.amount - message.amount / 10,\n                    from: storage.owner,\n                    responseTo: message.responseTo,\n                    forwardAmount',
    ],
  ]);
}

/** Code of a jetton master with another number for an error. */
export function otherMinterCode(): Promise<Cell> {
  return compileChanged('jetton-minter', [['const NOT_THE_ADMIN = 73', 'const NOT_THE_ADMIN = 75']]);
}

/** Code of a sale of an NFT with another number for an error. */
export function otherSaleCode(): Promise<Cell> {
  return compileChanged('nft-sale', [['throw 0xffff', 'throw 0xfffe']]);
}

/** Code of an auction of an NFT with another number for an error. */
export function otherAuctionCode(): Promise<Cell> {
  return compileChanged('nft-auction', [['const NOT_OVER = 1005', 'const NOT_OVER = 1006']]);
}

/** Codes of a multisig and of its orders with another number for an error. */
export async function otherMultisigCodes(): Promise<{ readonly code: Cell; readonly orderCode: Cell }> {
  const [code, orderCode] = await Promise.all([
    compileChanged('multisig', [['const UNKNOWN_ACTION = 113', 'const UNKNOWN_ACTION = 114']]),
    compileChanged('multisig-order', [['const SENT_ALREADY = 112', 'const SENT_ALREADY = 116']]),
  ]);
  return { code, orderCode };
}

/** Code of an NFT item that refuses transfers with the query id 13. */
export function strictItemCode(): Promise<Cell> {
  return compileChanged('nft-item', [
    [
      '            assert (in.senderAddress == previousOwner) throw NOT_THE_OWNER;\n',
      `            assert (in.senderAddress == previousOwner) throw NOT_THE_OWNER;
            assert (message.queryId != ${REFUSED}) throw 1013;\n`,
    ],
  ]);
}
