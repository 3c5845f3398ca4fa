import { INTERFACES_BY_METHODS } from '../../src/ton/contracts/codes/interface-table.ts';
import { methodId } from '../../src/ton/contracts/codes/method-id.ts';
import { PARAMETER_VALUES, readQuestions } from '../questions/read-questions.ts';

const NAME = 'virtual:facts';

/** Get methods of wallets. */
const WALLET_METHODS = [
  'seqno',
  'get_public_key',
  'get_subwallet_id',
  'get_wallet_id',
  'get_plugin_list',
  'is_signature_allowed',
  'get_extensions',
];

/** Puts facts into the page's script: the module of web/facts.d.ts. */
export const factsPlugin = {
  name: 'facts',
  resolveId: (id: string) => (id === NAME ? id : null),
  load: (id: string) => (id === NAME ? buildFacts() : null),
};

function buildFacts(): string {
  const questions = readQuestions().map(({ isEmptyLocally: _, ...shown }) => shown);
  const methods = [...WALLET_METHODS, ...Object.values(INTERFACES_BY_METHODS).flat()];
  const names = Object.fromEntries(methods.map((name) => [methodId(name), name]));
  return Object.entries({ QUESTIONS: questions, PARAMETER_VALUES, METHOD_NAMES: names })
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}
