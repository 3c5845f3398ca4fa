import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type RecordedTrace, toFacts, toTrace } from '../../scripts/conformance/trace-fixture.ts';
import { Body } from '../../src/projections/actions/body/body.ts';
import { classifyTrace } from '../../src/projections/actions/classify.ts';
import { LoadedFacts } from '../../src/projections/actions/model/contract-facts.ts';
import type { Trace } from '../../src/projections/actions/model/trace.ts';
import { mutated } from '../helpers/mutated-trace.ts';
import { Renaming } from '../helpers/renamed-trace.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithData } from '../helpers/shared-data.ts';

/**
 * Bodies whose result depends on addresses: keys of claimed jettons form a dictionary, and in cocoon payloads the
 * server reads bits of an address as an amount.
 */
const BY_ADDRESS = /0x(78d9f109|a040ad28|f5f26a36|bb63ff93|efd711e1)/;
/** No amount of TON has so many digits: a minter with a layout of its own, of whose address it is a part. */
const NO_AMOUNT = /^\d{25,}$/;

const textOf = (value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
/** Without bigints. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null, (_, one) => textOf(one)));

/** The value for comparison: bags by their roots. */
function comparable(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((one) => comparable(one, field));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, comparable(one, key)]));
  if (typeof value !== 'string') return value;
  if (/^(value|ton_amount)$/.test(field) && NO_AMOUNT.test(value)) return 'no amount';
  return value.startsWith('te6') ? Body.of(Buffer.from(value, 'base64')).hash().toHex() : value;
}

/** All of the actions but their ids, which hashes make. */
function told(recorded: RecordedTrace, rename: (value: unknown, field: string) => unknown) {
  const { actions, problems, state } = classifyTrace(toTrace(recorded), toFacts(recorded));
  expect([state, problems]).toEqual(['ok', []]);
  return actions.map((action) => ({
    type: action.type,
    success: action.success,
    ancestors: action.ancestorTypes,
    columns: comparable(rename(plain(action.columns), ''), ''),
    details: comparable(rename(plain(action.details), ''), ''),
    accounts: (rename(action.accounts, 'accounts') as string[]).toSorted(),
    transactions: (rename(action.txHashes, 'tx_hashes') as string[]).toSorted(),
    bounds: [rename(String(action.startLt), 'lt'), rename(String(action.endLt), 'lt')],
    times: [action.startUtime, action.endUtime],
  }));
}

/** Transactions whose message went from one account to another: an action must contain them. */
const between = ({ transactions }: Trace): string[] =>
  transactions
    .filter(({ inMessage }) => inMessage !== null && inMessage.source !== null)
    .map(({ hash }) => hash);

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

describeWithData('the rules', (data) => {
  const folder = join(data, 'traces');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));

  it('know no trace by its accounts, hashes or times', { timeout: 120_000 }, () => {
    let compared = 0;
    for (const text of texts) {
      if (BY_ADDRESS.test(text)) continue;
      const recorded = JSON.parse(text) as RecordedTrace;
      const renaming = new Renaming(recorded, 'other', 1_000_000_000n);
      const expected = told(recorded, (value, field) => renaming.value(value, field));
      expect(told(renaming.trace(recorded), (value) => value)).toEqual(expected);
      compared++;
    }
    expect(compared).toBeGreaterThan(texts.length / 2);
  });

  it.each(SEEDS)('fail of no trace and lose no message of any, seed %i', { timeout: 120_000 }, (seed) => {
    const random = new SeededRandom(seed);
    for (const text of texts) {
      const recorded = JSON.parse(text) as RecordedTrace;
      for (let left = 10; left > 0; left--) {
        const trace = mutated(toTrace(recorded), random);
        const release = random.pick(['1.2', '1.3'] as const);
        const facts = random.oneIn(5) ? new LoadedFacts() : toFacts(recorded);
        const { actions, problems } = classifyTrace(trace, facts, { release });
        expect(problems).toEqual([]);
        const shown = new Set(actions.flatMap(({ txHashes }) => txHashes));
        expect(between(trace).filter((hash) => !shown.has(hash))).toEqual([]);
        expect(new Set(actions.map(({ actionId }) => actionId)).size).toBe(actions.length);
      }
    }
  });
});
