import { type Static, Type } from 'typebox';

const ByAddress = Type.Record(Type.String(), Type.Integer(), { description: 'nanotons by raw address' });

/** BalanceChanges of v3-models.md: gains and losses of accounts, including fees. */
export const BalanceChangesSchema = Type.Object({
  changes: ByAddress,
  fees: ByAddress,
  jettons: Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
    description: 'amounts by raw address of the owner and of the master',
  }),
});
export type BalanceChangesAnswer = Static<typeof BalanceChangesSchema>;
