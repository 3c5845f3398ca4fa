import { BURN_NOTIFICATION_OP, JETTON_BURN_OP } from '../../../../ton/messages/jetton-burn.ts';
import { loadJettonHead } from '../../../../ton/messages/jetton-head.ts';
import {
  INTERNAL_TRANSFER_OP,
  loadInternalTransfer,
} from '../../../../ton/messages/jetton-internal-transfer.ts';
import {
  JETTON_MINT_OP,
  loadJettonMint,
  loadMintedJettons,
  MINTER_MINT_OP,
} from '../../../../ton/messages/jetton-mint.ts';
import { rawText } from '../../body/body.ts';
import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, call, optional } from '../../match/pattern.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { creditedAmount, notification } from './credited-amount.ts';

/** Tokens that their owner burnt. */
export interface JettonBurn {
  readonly owner: string;
  readonly wallet: string | null;
  readonly asset: string;
  readonly amount: bigint;
}

export const JETTON_BURN: BlockKind<JettonBurn> = {
  name: 'jetton_burn',
  type: 'jetton_burn',
  columns: ({ owner, wallet, asset, amount }) => ({ source: owner, source_secondary: wallet, asset, amount }),
  details: ({ owner, wallet, asset, amount }) => ({ owner, owner_jetton_wallet: wallet, asset, amount }),
};

/** Tokens that a master minted for an account. */
export interface JettonMint {
  readonly asset: string;
  readonly receiver: string | null;
  /** null if no internal transfer was sent. */
  readonly wallet: string | null;
  readonly amount: bigint | null;
  readonly tonAmount: bigint;
}

export const JETTON_MINT: BlockKind<JettonMint> = {
  name: 'jetton_mint',
  type: 'jetton_mint',
  columns: ({ receiver, wallet, asset, amount, tonAmount }) => ({
    destination: receiver,
    destination_secondary: wallet,
    asset,
    amount,
    value: tonAmount,
  }),
  details: ({ asset, receiver, wallet, amount, tonAmount }) => ({
    asset,
    receiver,
    receiver_jetton_wallet: wallet,
    amount,
    ton_amount: tonAmount,
  }),
};

function buildBurn(block: Block, found: Found, context: Context): Block {
  const wallet = context.neededWallet(block.destination);
  const { amount } = loadJettonHead(block.body().slice);
  return context.merge({
    kind: JETTON_BURN,
    parts: [block, ...found.blocks],
    failed: block.aborted,
    data: { owner: wallet.owner, wallet: block.destination, asset: wallet.jetton, amount },
  });
}

function readMint(block: Block) {
  const { slice } = block.body();
  const { receiver, tonAmount } = loadJettonMint(slice);
  // The inner amount is read if it is the only statement of the minted amount.
  const amount = block.opcode === MINTER_MINT_OP ? loadMintedJettons(slice).amount : null;
  return { receiver: rawText(receiver), tonAmount, amount };
}

function buildMint(block: Block, found: Found, context: Context): Block {
  const { receiver, tonAmount, amount } = readMint(block);
  const received = found.maybe('received');
  const master = needed(block.destination, 'jetton master');
  const parts = [block, ...found.blocks];
  if (!received) {
    const data = { asset: master, receiver, wallet: null, amount, tonAmount };
    return context.merge({ kind: JETTON_MINT, parts, failed: true, data });
  }
  const wallet = context.neededWallet(received.destination);
  return context.merge({
    kind: JETTON_MINT,
    parts,
    failed: block.aborted || received.aborted,
    data: {
      asset: wallet.jetton,
      receiver: wallet.owner,
      wallet: received.destination,
      amount: creditedAmount(received, found, context) ?? loadInternalTransfer(received.body().slice).amount,
      tonAmount,
    },
  });
}

/**
 * jetton_burn: 0x595f07bc to a known wallet (→ 0x7bdd97de). jetton_mint: 0x642b7d07 or 0x00000015 (→ 0x178d4519 →
 * 0x7362d09c). It fails without the internal transfer, or if that transfer or the master's transaction was aborted.
 */
export const jettonSupply: readonly Matcher[] = [
  {
    name: 'jetton_burn',
    after: ['proxy_ton_transfer'],
    pattern: call(JETTON_BURN_OP, { child: optional(call(BURN_NOTIFICATION_OP)), build: buildBurn }),
  },
  {
    name: 'jetton_mint',
    after: ['nft_return'],
    pattern: call([JETTON_MINT_OP, MINTER_MINT_OP], {
      child: optional(
        anyOf([
          notification,
          call(INTERNAL_TRANSFER_OP, { label: 'received', child: optional(notification) }),
        ]),
      ),
      build: buildMint,
    }),
  },
];
