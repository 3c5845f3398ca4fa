import { type Static, Type } from 'typebox';
import type { MintlessClaim } from '../../../entities/tokens/mintless.ts';
import type { TokenRow } from '../../../entities/tokens/model.ts';
import { Described } from '../../schemas/address-book.ts';
import { Address, Amount, Hash, Lt, NextCursor, nullable } from '../../schemas/common.ts';

/** Text for a missing address in a required field (v3-models.md 1). */
export const NO_ADDRESS = 'addr_none';

const MintlessInfo = Type.Object(
  {
    amount: nullable(Amount),
    start_from: nullable(Type.Integer({ description: 'Unix time, seconds' })),
    expire_at: nullable(Type.Integer({ description: 'Unix time, seconds' })),
    custom_payload_api_uri: nullable(Type.Array(Type.String())),
  },
  { description: 'Only while an amount of a mintless jetton is not claimed.' },
);

export const JettonWalletSchema = Type.Object({
  address: Address,
  balance: Amount,
  owner: Address,
  jetton: Address,
  last_transaction_lt: Lt,
  code_hash: nullable(Hash),
  data_hash: nullable(Hash),
  mintless_info: Type.Optional(MintlessInfo),
});
type JettonWalletAnswer = Static<typeof JettonWalletSchema>;

export const JettonWalletsSchema = Type.Object({
  jetton_wallets: Type.Array(JettonWalletSchema),
  ...Described,
  next_cursor: NextCursor,
});
export type JettonWalletsAnswer = Static<typeof JettonWalletsSchema>;

/** JettonWallet of v3-models.md section 9; `claim`: its claim to a mintless jetton. */
export function jettonWalletAnswer(row: TokenRow, claim?: MintlessClaim): JettonWalletAnswer {
  return {
    address: row.address,
    balance: row.amount,
    owner: row.owner ?? NO_ADDRESS,
    jetton: row.parent ?? NO_ADDRESS,
    last_transaction_lt: row.lt,
    code_hash: row.codeHash,
    data_hash: row.dataHash,
    ...(claim && { mintless_info: mintlessInfo(claim) }),
  };
}

function mintlessInfo({ amount, startFrom, expireAt, apiUris }: MintlessClaim) {
  return {
    amount,
    start_from: startFrom,
    expire_at: expireAt,
    custom_payload_api_uri: apiUris && [...apiUris],
  };
}
