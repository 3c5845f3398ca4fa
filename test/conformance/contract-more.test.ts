import type { TSchema } from 'typebox';
import { afterAll, describe, expect, it } from 'vitest';
import { EMULATE_ENDPOINTS } from '../../src/api/emulate/routes/endpoints.ts';
import { EmulatedTraceSchema } from '../../src/api/emulate/schemas.ts';
import { supportedTypes } from '../../src/api/v3/parameters/action-types.ts';
import { ENDPOINTS } from '../../src/api/v3/routes/endpoints.ts';
import {
  emulationFields,
  type LooseField,
  looseShapeOf,
  moreFields,
  moreRoutes,
  moreSentences,
  type Structure,
  shortcutRows,
} from './contract-more.ts';

/* The tables of v3-more.md, of the emulation (v3-rules.md 1) and of the shortcuts of actions against the product. */

const served = new Map(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint]));

/** The schema of a row of a path's list. */
function rowOf(path: string, list: string): TSchema {
  const { properties = {} } = served.get(path)!.answer as unknown as Structure;
  return properties[list]!.items as unknown as TSchema;
}

const MODELS: Readonly<Record<string, () => TSchema>> = {
  DNSAuction: () => rowOf('/dns/activeAuctions', 'auctions'),
  NominatorPoolInfo: () => served.get('/staking/nominatorPools/pool')!.answer,
  NominatorPoolPosition: () => rowOf('/staking/nominatorPools/nominator', 'nominator_pools'),
  NominatorPoolEvent: () => rowOf('/staking/nominatorPools/nominatorEvents', 'events'),
  NominatorReward: () => rowOf('/staking/nominatorPools/nominatorRewards', 'rewards'),
  NominatorPoolValidatorEvent: () => rowOf('/staking/nominatorPools/validatorEvents', 'events'),
  NominatorPoolValidatorReward: () => rowOf('/staking/nominatorPools/validatorRewards', 'rewards'),
  ValidatorEvent: () => rowOf('/validators/events', 'events'),
  ValidatorElection: () => rowOf('/validators/elections', 'elections'),
  ValidatorElectionParticipant: () => memberOf('/validators/elections', 'elections', 'participants'),
  ValidatorCycle: () => rowOf('/validators/cycles', 'cycles'),
  ValidatorCycleValidator: () => memberOf('/validators/cycles', 'cycles', 'validators'),
  ValidatorComplaint: () => rowOf('/validators/complaints', 'complaints'),
  emulateTrace: () => EMULATE_ENDPOINTS.find(({ path }) => path.endsWith('emulateTrace'))!.body,
  emulateTonConnect: () => EMULATE_ENDPOINTS.find(({ path }) => path.endsWith('emulateTonConnect'))!.body,
  answer: () => EmulatedTraceSchema,
};

function memberOf(path: string, list: string, members: string): TSchema {
  const { properties = {} } = rowOf(path, list) as unknown as Structure;
  return properties[members]!.items as unknown as TSchema;
}

describe('further tables of the contract', () => {
  let count = 0;
  const check = <T>(found: T, wanted: T, what: string) => {
    count++;
    expect({ what, found }).toEqual({ what, found: wanted });
  };
  afterAll(() => console.log(`contract, further tables: ${count} facts checked`));

  const all = [...moreFields(), ...moreSentences(), ...emulationFields()];

  it('are read whole', () => {
    expect(moreRoutes()).toHaveLength(11);
    expect([...new Set(all.map(({ model }) => model))].toSorted()).toEqual(Object.keys(MODELS).toSorted());
    expect(all.length).toBeGreaterThan(145);
    expect(shortcutRows()).toHaveLength(19);
  });

  it.each(moreRoutes())('parameters and keys of $path', ({ path, parameters, keys }) => {
    const endpoint = served.get(path)!;
    const names = Object.keys(endpoint.parameters);
    for (const name of parameters) check(names.includes(name), true, `${path} knows ${name}`);
    // A required name without a type here: contract-errors.test.ts has the errors of the same routes.
    for (const key of keys) {
      const isBound = key === 'start_utime' || key === 'end_utime';
      const shape = looseShapeOf(endpoint.answer, key);
      const presence = isBound ? 'opt' : key === 'next_cursor' ? 'null' : 'always';
      check(shape?.presence, presence, `${path} answers ${key}`);
    }
  });

  it.each(Object.keys(MODELS))('fields of %s', (model) => {
    const schema = MODELS[model]!();
    for (const field of all.filter((one) => one.model === model)) checkField(schema, field);
  });

  function checkField(schema: TSchema, { model, name, type, presence }: LooseField): void {
    const found = looseShapeOf(schema, name);
    const what = `${model}.${name}`;
    check(found?.presence, presence, `${what}: presence`);
    if (type !== null) check(found?.type, type, `${what}: type`);
  }

  // Types of release 1.3, whose `latest` is v5 (v3-rules.md 3): the rules of 1.2 never give these actions.
  const newer = ['dedust_v2_claim_fees', 'dedust_v2_claim_reward'];

  it.each(shortcutRows())('the shortcut %s of types of actions', (name, rule) => {
    const listed = isOnlyWords(rule) ? expand(name) : byPrefix(name);
    const wanted = new Set([...expand('v1'), ...listed, ...(name === 'latest' ? newer : [])]);
    check(supportedTypes([name]), wanted, name);
    check(supportedTypes([], name), wanted, `X-Actions-Version: ${name}`);
  });

  it('a name that is no shortcut is a type, and nothing named is latest', () => {
    check(supportedTypes(['mine']), new Set([...expand('v1'), 'mine']), 'a type');
    check(supportedTypes([]), supportedTypes(['latest']), 'nothing');
    check(
      supportedTypes(['v1', 'tgbtc', 'x']),
      new Set([...expand('v1'), ...expand('tgbtc'), 'x']),
      'several',
    );
  });
});

const rules = new Map(shortcutRows());
const isOnlyWords = (rule: string) => !rule.startsWith('all names') && !rule.startsWith('the coffee names');

/** The types of a row, with other shortcuts in it expanded. */
function expand(name: string): ReadonlySet<string> {
  const rule = rules.get(name)!;
  const [listed = ''] = rule.split(/\. /);
  const types = listed.split(/,| \+ /).flatMap((part): readonly string[] => {
    const word = part.trim().replace(/^and /, '').replaceAll('`', '');
    if (rules.has(word)) return [...expand(word)];
    // "the ten nft/auction/teleitem names added in v3"
    if (word.startsWith('the ten'))
      return [...added('v3')].filter((one) => /^(nft|auction|teleitem)_/.test(one));
    if (word.startsWith('each also with suffix'))
      return ['mint', 'burn', 'new_key'].map((one) => `tgbtc_${one}_fallback`);
    return word === '' ? [] : [word];
  });
  return new Set(types);
}

/** Types that a version adds to the one before. */
function added(version: string): readonly string[] {
  return rules
    .get(version)!
    .split(/,| \+ /)
    .map((one) => one.trim())
    .filter((one) => !rules.has(one));
}

function byPrefix(name: string): readonly string[] {
  const own = [...expand('v4')].filter((one) => one.startsWith(`${name}_`));
  return name === 'coffee' ? own.filter((one) => one !== 'coffee_mev_protect_failed_swap') : own;
}
