import { expect, it } from 'vitest';
import { LoadedFacts } from '../../../../src/projections/actions/model/contract-facts.ts';
import { toMint } from '../../../../src/projections/lake/to-mint.ts';
import { address, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';
import { classifiedActions, lakeActions, recordedTraces } from '../../../helpers/lake-actions.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

describeWithData('recorded mints of jettons', (data) => {
  const mints = recordedTraces(`${data}/traces`)
    .flatMap(lakeActions)
    .filter(({ action }) => action.type === 'jetton_mint');

  it('have amount, owner and wallet of the action, and the query id of the message', () => {
    for (const { action, transactions } of mints) {
      const { asset, receiver, receiver_jetton_wallet, amount } = action.details;
      expect(toMint(action, transactions)).toMatchObject({
        amount: BigInt(amount as string),
        owner: receiver,
        wallet: receiver_jetton_wallet,
        master: asset,
      });
    }
    const [one] = mints.filter(
      ({ action }) => action.traceId === '1qD3P7k62Wscr4J92DXfRmsFUoXsd631PVCjJDuZPi0=',
    );
    expect(toMint(one!.action, one!.transactions)).toMatchObject({
      amount: 9_700n,
      queryId: 6026060324180045824n,
      response: one!.action.details.receiver,
      time: 1732172027,
    });
  });

  it('are none if the master did not send the jettons', () => {
    const { action, transactions } = mints[0]!;
    const forged = transactions.map((one) => ({
      ...one,
      messages: one.messages.map((message) => ({ ...message, source: `0:${'1'.repeat(64)}` })),
    }));
    expect(toMint(action, forged)).toBeNull();
  });
});

it('a stake has the tokens that its pool had minted, and a nominator pool mints none', () => {
  const [user, pool, master, wallet] = [...'upmw'].map(address) as [string, string, string, string];
  const minted: Sent = {
    op: 0x178d4519,
    to: wallet,
    body: (builder) => {
      putAddress(builder.u64(7n).coins(40n), null);
      putAddress(builder, user).coins(1n).bit(false);
    },
  };
  const stake = (sent: Sent) => {
    const facts = new LoadedFacts();
    facts.add(pool, { codeHash: 'mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=' });
    const actions = classifiedActions(traceFrom({ to: user, sends: [sent] }), facts);
    return actions.find(({ action }) => action.type === 'stake_deposit')!;
  };
  const mint = { op: 0x1674b0a0, to: master, sends: [minted] };
  const { action, transactions } = stake({ op: 0x47d54391, to: pool, value: 3_000_000_000n, sends: [mint] });
  expect(toMint(action, transactions)).toMatchObject({
    ...{ amount: 40n, queryId: 7n, owner: user, wallet, master, response: user, forwardAmount: 1n },
  });
  const letter = stake({ op: 0, to: pool, body: (builder) => void builder.uint(0x64, 8) });
  expect(toMint(letter.action, letter.transactions)).toBeNull();
});
