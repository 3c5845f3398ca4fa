/**
 * Compiles the contracts of localnet (`src/localnet/contracts`) and writes the code of each: `NAME.tolk` →
 * `codes/NAME-code.ts`. A test fails if one is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getTolkCompilerVersion, runTolkCompiler } from '@ton/tolk-js';

const CONTRACTS = resolve(import.meta.dirname, '../src/localnet/contracts');
const NAMES = [
  'jetton-minter',
  'jetton-wallet',
  'nft-collection',
  'nft-item',
  'dex-pool',
  'dex-native-vault',
  'dex-jetton-vault',
  'marketplace',
  'nft-sale',
  'nft-auction',
  'username',
  'username-collection',
  'sbt',
  'dns-root',
  'dns-collection',
  'dns-item',
  'single-nominator',
  'vesting',
  'highload-wallet',
  'multisig',
  'multisig-order',
  'stake-pool',
  'stake-minter',
];
const LINE = 104;

const version = await getTolkCompilerVersion();
for (const name of NAMES) {
  const result = await runTolkCompiler({
    entrypointFileName: `${name}.tolk`,
    fsReadCallback: (path) => readFileSync(join(CONTRACTS, path), 'utf8'),
  });
  if (result.status === 'error') throw new Error(`${name}.tolk: ${result.message}`);
  writeFileSync(join(CONTRACTS, 'codes', `${name}-code.ts`), codeModule(name, result.codeBoc64));
  process.stdout.write(`${name}: ${result.codeHashHex.toLowerCase()}\n`);
}

function codeModule(name: string, boc: string): string {
  const constant = `${name.replaceAll('-', '_').toUpperCase()}_CODE`;
  const lines = boc.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  const text = lines.map((line) => `  '${line}'`).join(' +\n');
  return `/** Code of ${name}.tolk, compiled by @ton/tolk-js ${version}: a BoC in base64. */\nexport const ${constant} =\n${text};\n`;
}
