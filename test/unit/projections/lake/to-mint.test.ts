import { expect, it } from 'vitest';
import { toMint } from '../../../../src/projections/lake/to-mint.ts';
import { lakeActions, recordedTraces } from '../../../helpers/lake-actions.ts';
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
