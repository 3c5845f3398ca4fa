import { expect, it } from 'vitest';
import { isShown, supportedTypes } from '../../src/api/v3/parameters/action-types.ts';
import { classifyTrace } from '../../src/projections/actions/classify.ts';
import { addPools } from '../../src/projections/actions/find-pools.ts';
import type { Action } from '../../src/projections/actions/model/action.ts';
import { LoadedFacts } from '../../src/projections/actions/model/contract-facts.ts';
import { type AnsweredAction, type RecordedAnswer, recordedAnswers } from '../helpers/recorded-answers.ts';
import { describeWithData } from '../helpers/shared-data.ts';

/** Fields in which recordings differ from today's contract: from earlier releases, or private lists. */
const OTHERWISE: Readonly<Record<string, string>> = {
  marketplace: 'display names come from a list of the server',
  marketplace_address: 'the same, by address',
  provider: '`tonstakers` is `liquid_staking` now',
  tokens_burnt: 'null for liquid staking now',
  extra_currencies: 'emulation answered null for none',
  value_extra_currencies: 'emulation answered null for none',
};

/** The rules do not define the order of two payouts: in the one recorded trace the pool's second one comes first. */
const PAYOUTS = ['amount', 'asset', 'user_jetton_wallet'];

/** Releases of 2024 answered bounds by transactions instead of messages. */
const WITHOUT_BOUNDS = /(tonTransfer|\/usdtTransfer)TraceResponse/;

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (_, one) => (typeof one === 'bigint' ? one.toString() : one)));

function inOneOrder(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const ordered = { ...details };
  if (!('lp_tokens_burnt' in details)) return ordered;
  for (const name of PAYOUTS)
    [ordered[`${name}_1`], ordered[`${name}_2`]] = [details[`${name}_1`], details[`${name}_2`]].sort();
  return ordered;
}

/** The fields that were recorded, of both; other fields are younger than the recording. */
function compared(recorded: AnsweredAction, own: Action) {
  const details = plain(own.details) as Record<string, unknown>;
  const names = Object.keys(recorded.details).filter((name) => !(name in OTHERWISE));
  const picked = (from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, from[name]]));
  return [inOneOrder(picked(recorded.details)), inOneOrder(picked(details))];
}

const bounds = ({ start_lt, end_lt, start_utime, end_utime }: AnsweredAction) => [
  start_lt,
  end_lt,
  start_utime,
  end_utime,
];

function actionsOf({ trace, facts }: RecordedAnswer) {
  const { actions, problems } = classifyTrace(trace, addPools(trace, new LoadedFacts(facts)));
  expect(problems).toEqual([]);
  return actions;
}

describeWithData('recorded answers with actions', (data) => {
  const answers = recordedAnswers(data);

  it('are of many kinds', () => {
    expect(new Set(answers.flatMap(({ actions }) => actions.map(({ type }) => type))).size).toBeGreaterThan(
      9,
    );
  });

  it.each(answers)('$file', (answer) => {
    const own = actionsOf(answer);
    for (const recorded of answer.actions) {
      const action = own.find(({ actionId }) => actionId === recorded.action_id);
      expect(action, `${recorded.type} ${recorded.action_id}`).toBeDefined();
      expect([action!.answeredType, action!.success]).toEqual([recorded.type, recorded.success]);
      expect(action!.txHashes.toSorted()).toEqual(recorded.transactions.toSorted());
      if (recorded.accounts) expect(action!.accounts.toSorted()).toEqual(recorded.accounts.toSorted());
      if (!WITHOUT_BOUNDS.test(answer.file))
        expect([
          String(action!.startLt),
          String(action!.endLt),
          action!.startUtime,
          action!.endUtime,
        ]).toEqual(bounds(recorded));
      const [expected, got] = compared(recorded, action!);
      expect(got).toEqual(expected);
    }
    // Emulation shows a client that names no version the first types, and lists show all of them.
    const version = answer.file.startsWith('toncenter-emulate') ? 'v1' : 'latest';
    const shown = own.filter((action) => isShown(action, supportedTypes([version])));
    expect(shown.map(({ actionId }) => actionId).toSorted()).toEqual(
      answer.actions.map(({ action_id }) => action_id).toSorted(),
    );
  });
});
