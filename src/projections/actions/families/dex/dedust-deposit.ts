import {
  INTERNAL_TRANSFER_OP,
  loadInternalTransfer,
} from '../../../../ton/messages/jetton-internal-transfer.ts';
import {
  JETTON_NOTIFICATION_OP,
  loadJettonNotification,
} from '../../../../ton/messages/jetton-notification.ts';
import { JETTON_TRANSFER_OP } from '../../../../ton/messages/jetton-transfer.ts';
import { type Body, rawText } from '../../body/body.ts';
import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, call, optional, type Pattern } from '../../match/pattern.ts';
import { TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block } from '../../tree/block.ts';
import { readForwardPayload } from '../jetton/jetton-messages.ts';
import { JETTON_TRANSFER, jettonTransfer, shownAsset } from '../jetton/jetton-transfer.ts';
import { PAYOUT, readAsset } from './dedust-messages.ts';
import { type DexDeposit, type DexShare, type DexTarget, depositKind, NO_SHARE } from './exchange-kinds.ts';

const DEPOSIT_NATIVE = 0xd55e4686;
const DEPOSIT_PAYLOAD = 0x40e108d6;
const CREATE_DEPOSIT = 0xf04ec526;
const INSTALL = 0x9b3aa3fa;
const DEPOSIT_ASSET = 0x54240fe5;
const DEPOSIT_ALL = 0xb56b9598;
const REJECT = 0xe1a36cd4;
const FULFILL = 0xaae79256;
const PAY_FROM_DEPOSIT = 0x6b0b787f;

/** Both assets are there: the pool was asked. */
export const DEDUST_DEPOSIT = depositKind('dedust_deposit_liquidity');
/** Only the first asset, waiting in the deposit contract. */
export const DEDUST_DEPOSIT_PARTIAL = depositKind('dedust_deposit_liquidity_partial');

type Targets = readonly [DexTarget, DexTarget];

/** Share that came in by this message, its sender, and the user's targets for the whole deposit. */
interface Leg {
  readonly share: DexShare;
  readonly sender: string | null;
  /** @throws Refusal, CellError if it does not describe a deposit */
  readonly readTargets: () => Targets;
}

/** stable:Bool asset0 asset1, then min_lp:Coins target0:Coins target1:Coins, in a reference or not */
function readTargets(body: Body, sums: 'inline' | 'reference'): Targets {
  const [asset0, asset1] = [readAsset(body.skip(1)), readAsset(body)];
  const rest = sums === 'inline' ? body : body.ref();
  rest.coins();
  return [
    { asset: asset0, amount: rest.coins() },
    { asset: asset1, amount: rest.coins() },
  ];
}

/** deposit_liquidity#d55e4686 query amount:Coins …, or the payload 40e108d6 of the jettons' notification */
function readLeg(found: Found, context: Context): Leg {
  const native = found.maybe('native');
  if (native) {
    const body = native.body().skip(64);
    const share = { asset: null, amount: body.coins(), wallet: null };
    return { share, sender: native.source, readTargets: () => readTargets(body, 'reference') };
  }
  const notice = found.get('notice');
  const body = notice.body();
  const { amount, sender } = loadJettonNotification(body.slice);
  const asset = shownAsset(context.neededWallet(notice.source).jetton);
  const wallet = found.get('arrived').source;
  return {
    share: { asset, amount, wallet },
    sender: rawText(sender),
    readTargets: () => payloadTargets(body),
  };
}

/** Targets in a notification's body, which starts at its payload. */
function payloadTargets(body: Body): Targets {
  const payload = needed(readForwardPayload(body), 'the payload');
  demand(payload.peekOp() === DEPOSIT_PAYLOAD, 'the payload of a deposit');
  return readTargets(payload.skip(32), 'inline');
}

/** deposit_liquidity_all#b56b9598 query ^proof owner min_lp:Coins ^(asset0 amount0:Coins asset1 amount1:Coins) … */
function readAll(block: Block): { readonly owner: string | null; readonly targets: Targets } {
  const body = block.body().skip(64);
  body.ref();
  const owner = body.address();
  body.coins();
  const sums = body.ref();
  const first = { asset: readAsset(sums), amount: sums.coins() };
  return { owner, targets: [first, { asset: readAsset(sums), amount: sums.coins() }] };
}

/** Excesses that the vaults gave back to the sender. */
function getExcesses(found: Found, sender: string | null): DexDeposit['excesses'] {
  return found.all('back').flatMap((block) => {
    if (block.is(JETTON_TRANSFER)) {
      const { receiver, asset, amount } = block.data;
      return receiver === sender ? [{ asset, amount }] : [];
    }
    return block.destination === sender ? [{ asset: null, amount: block.value }] : [];
  });
}

function buildDeposit(block: Block, found: Found, context: Context): Block {
  const { share } = readLeg(found, context);
  const { owner, targets } = readAll(block);
  const rejected = found.maybe('rejected');
  const minted = found.maybe('minted');
  const isOwn = context.jettonWallet(share.wallet)?.jetton === share.asset;
  return context.merge({
    kind: DEDUST_DEPOSIT,
    parts: [block, ...found.blocks],
    failed: rejected !== null,
    data: {
      dex: 'dedust',
      sender: owner,
      pool: rejected ? rejected.source : block.destination,
      depositContract: block.source,
      first: isOwn ? share : { ...share, wallet: null },
      second: NO_SHARE,
      targets,
      lpTokens: minted && loadInternalTransfer(minted.body().slice).amount,
      excesses: getExcesses(found, owner),
    },
  });
}

function buildPartial(block: Block, found: Found, context: Context): Block {
  const isAnswered = block.children.some(({ opcode }) => opcode === DEPOSIT_ALL || opcode === REJECT);
  demand(!isAnswered, 'nothing after the first asset');
  const leg = readLeg(found, context);
  return context.merge({
    kind: DEDUST_DEPOSIT_PARTIAL,
    parts: [block, ...found.blocks],
    data: {
      dex: 'dedust',
      sender: leg.sender,
      pool: null,
      depositContract: block.destination,
      first: leg.share,
      second: NO_SHARE,
      targets: leg.readTargets(),
      lpTokens: null,
      excesses: [],
    },
  });
}

/** How an asset reaches its vault. */
const origin: Pattern = anyOf([
  call(DEPOSIT_NATIVE, { label: 'native' }),
  call(JETTON_NOTIFICATION_OP, {
    label: 'notice',
    parent: call(INTERNAL_TRANSFER_OP, { label: 'arrived', parent: call(JETTON_TRANSFER_OP) }),
  }),
]);

const back = optional(
  call(PAY_FROM_DEPOSIT, { child: anyOf([jettonTransfer, call(PAYOUT)], { label: 'back' }) }),
);
/** Money that is given back: TON of the deposit contract, and assets through up to two vaults. */
const given = { children: [optional(blockOfKind(TON_TRANSFER)), back, back] };
const minted = call(INTERNAL_TRANSFER_OP, { label: 'minted', child: optional(call(JETTON_NOTIFICATION_OP)) });

/**
 * dedust deposits: 0xd55e4686 (TON) or jettons with the payload 0x40e108d6 → 0xf04ec526 → 0x54240fe5 to the deposit
 * contract, which 0x9b3aa3fa installs. With both assets there → 0xb56b9598 to the pool, answered by 0x178d4519 (minted) or
 * 0xe1a36cd4 (rejected: failed). They run before jetton transfers are merged.
 */
export const dedustDeposits: readonly Matcher[] = [
  {
    name: 'dedust_deposit',
    after: ['nft_mint'],
    before: ['jetton_transfer'],
    pattern: call(DEPOSIT_ALL, {
      parent: call(DEPOSIT_ASSET, {
        parent: call(CREATE_DEPOSIT, { child: optional(call(INSTALL)), parent: origin }),
      }),
      children: [
        anyOf([minted, call(REJECT, { label: 'rejected', ...given })]),
        optional(call(FULFILL, given)),
      ],
      build: buildDeposit,
    }),
  },
  {
    name: 'dedust_deposit_partial',
    after: ['dedust_deposit'],
    before: ['jetton_transfer'],
    pattern: call(DEPOSIT_ASSET, {
      parent: call(CREATE_DEPOSIT, { child: call(INSTALL), parent: origin }),
      build: buildPartial,
    }),
  },
];
