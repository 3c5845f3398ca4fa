import {
  INTERNAL_TRANSFER_OP,
  loadInternalTransfer,
} from '../../../../ton/messages/jetton-internal-transfer.ts';
import { JETTON_MINT_OP } from '../../../../ton/messages/jetton-mint.ts';
import { JETTON_NOTIFICATION_OP } from '../../../../ton/messages/jetton-notification.ts';
import { JETTON_TRANSFER_OP } from '../../../../ton/messages/jetton-transfer.ts';
import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockOfKind, call } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { JETTON_MINT, type JettonMint } from '../jetton/jetton-supply.ts';
import { JETTON_TRANSFER, type JettonTransfer } from '../jetton/jetton-transfer.ts';
import { depositKind, requestKind } from './staking-kinds.ts';

/** The token that is deposited, and the token that is given for it. */
const USDE = '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC';
const STAKED_USDE = '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D';

const RECEIVED = 0xb2583ed5;

const DEPOSIT = depositKind('ethena_deposit');
const REQUEST = requestKind('ethena_withdrawal_request');

function buildDeposit(block: Block, found: Found, context: Context): Block {
  const { data } = block as Block<JettonTransfer>;
  const minted = (found.get('minted') as Block<JettonMint>).data;
  demand(data.asset === USDE && minted.asset === STAKED_USDE, 'the tokens of ethena');
  return context.merge({
    kind: DEPOSIT,
    parts: [block, ...found.blocks],
    failed: block.failed,
    data: {
      provider: 'ethena',
      holder: data.sender,
      wallet: data.senderWallet,
      pool: data.receiver,
      asset: minted.asset,
      amount: data.amount,
      tokensMinted: minted.amount,
      sourceAsset: data.asset,
    },
  });
}

function buildRequest(block: Block, found: Found, context: Context): Block {
  const [internal, mint, received] = [found.get('internal'), found.get('mint'), found.get('received')];
  const holder = needed(block.source, 'the holder');
  const wallet = context.neededWallet(block.destination);
  const receiving = context.neededWallet(received.destination);
  demand(wallet.owner === holder && wallet.jetton === internal.destination, "the holder's wallet");
  demand(receiving.owner === holder && receiving.jetton === received.source, 'the receiving wallet');
  return context.merge({
    kind: REQUEST,
    parts: [block, ...found.blocks],
    data: {
      provider: 'ethena',
      holder,
      wallet: block.destination,
      pool: mint.source,
      asset: wallet.jetton,
      amount: loadInternalTransfer(internal.body().slice).amount,
      payoutNft: null,
      tokensMinted: loadInternalTransfer(received.body().slice).amount,
    },
  });
}

/**
 * Ethena (v3-actions 3, v3-actions-rules 4.2). Deposit: a jetton_transfer of USDe with a jetton_mint of its staked token.
 * Request: 0x0f8a7ea5 → 0x178d4519 → 0x7362d09c → 0x642b7d07 → 0xb2583ed5, which is no transfer because the internal transfer
 * goes to the master.
 */
export const ethena: readonly Matcher[] = [
  {
    name: 'ethena_request',
    after: ['proxy_ton_transfer', 'jetton_burn'],
    before: ['jetton_mint'],
    pattern: call(JETTON_TRANSFER_OP, {
      child: call(INTERNAL_TRANSFER_OP, {
        label: 'internal',
        child: call(JETTON_NOTIFICATION_OP, {
          child: call(JETTON_MINT_OP, { label: 'mint', child: call(RECEIVED, { label: 'received' }) }),
        }),
      }),
      build: buildRequest,
    }),
  },
  {
    name: 'ethena_deposit',
    after: ['jetton_mint'],
    pattern: blockOfKind(JETTON_TRANSFER, {
      child: blockOfKind(JETTON_MINT, { label: 'minted' }),
      build: buildDeposit,
    }),
  },
];
