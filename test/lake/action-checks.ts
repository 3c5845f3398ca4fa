/** Checks of actions, and of the views of one kind of actions. */
import { apiActions } from './api-rows.ts';
import type { Check } from './check.ts';
import type { LakeServer, Row } from './lake-server.ts';

type Details = Readonly<Record<string, unknown>>;

/** Types and columns of each view. A column is the field of that name of `details`. */
const TYPED: Readonly<Record<string, readonly [types: readonly string[], columns: readonly string[]]>> = {
  action_auction_bids: [['auction_bid'], ['amount', 'bidder', 'auction', 'nft_item', 'nft_collection']],
  action_contract_calls: [['call_contract'], ['source', 'destination', 'value', 'opcode']],
  action_dns_changes: [
    ['change_dns', 'delete_dns', 'renew_dns'],
    ['source', 'asset', 'nft_collection', 'key'],
  ],
  action_jetton_burns: [['jetton_burn'], ['asset', 'owner', 'owner_jetton_wallet', 'amount']],
  action_jetton_mints: [['jetton_mint'], ['asset', 'receiver', 'receiver_jetton_wallet', 'amount']],
  action_jetton_transfers: [
    ['jetton_transfer'],
    [
      ...['asset', 'sender', 'receiver', 'sender_jetton_wallet', 'receiver_jetton_wallet'],
      ...['amount', 'forward_amount', 'comment'],
    ],
  ],
  action_nft_mints: [['nft_mint'], ['owner', 'nft_item', 'nft_collection', 'nft_item_index']],
  action_nft_transfers: [
    ['nft_transfer', 'nft_purchase'],
    [
      ...['nft_item', 'nft_collection', 'nft_item_index', 'old_owner', 'new_owner', 'marketplace'],
      ...['payout_amount', 'royalty_amount', 'comment'],
    ],
  ],
  action_stakes: [
    ['stake_deposit', 'stake_withdrawal', 'stake_withdrawal_request'],
    ['provider', 'stake_holder', 'pool', 'amount'],
  ],
  action_ton_transfers: [['ton_transfer'], ['source', 'destination', 'value', 'comment']],
};

/** Second name of a field: `delete_dns` has the record's key as its hash. */
const OTHER: Readonly<Record<string, string>> = { key: 'hash' };

/** The API leaves out actions below others. */
const SHOWN = 'action_id IN (SELECT action_id FROM actions WHERE empty(ancestor_types))';

function typedCheck(
  table: string,
  types: readonly string[],
  toColumns: (details: Details, action: Row) => Row,
): Check {
  return {
    table,
    key: ['action_id', 'trace_id'],
    where: SHOWN,
    jsons: ['details'],
    expected: async (server: LakeServer) => {
      const actions = (await apiActions(server)).filter(({ type }) => types.includes(String(type)));
      return actions.map(({ action_id, trace_id, success, end_lt, details, ...action }) => ({
        ...{ action_id, trace_id, success, end_lt, details },
        ...{ block_time: action.block_time, block_date: action.block_date },
        ...toColumns(JSON.parse(String(details)) as Details, action),
      }));
    },
  };
}

const toSwap = (details: Details): Row => ({
  dex: details.dex,
  sender: details.sender,
  asset_in: details.asset_in,
  asset_out: details.asset_out,
  amount_in: (details.dex_incoming_transfer as Details).amount,
  amount_out: (details.dex_outgoing_transfer as Details).amount,
});

export const ACTION_CHECKS: readonly Check[] = [
  {
    table: 'actions',
    key: ['action_id', 'trace_id'],
    where: 'empty(ancestor_types)',
    jsons: ['details'],
    expected: apiActions,
  },
  ...Object.entries(TYPED).map(([table, [types, columns]]) =>
    typedCheck(table, types, (details, { type }) => ({
      type,
      ...Object.fromEntries(
        columns.map((name) => [name, details[name] ?? details[OTHER[name] ?? ''] ?? null]),
      ),
    })),
  ),
  typedCheck('action_jetton_swaps', ['jetton_swap'], toSwap),
];
