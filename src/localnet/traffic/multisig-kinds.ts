import { openBag } from '../../ton/boc/open-bag.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { MULTISIG_ORDER_CODE } from '../contracts/codes/multisig-order-code.ts';
import type { NewContract } from '../genesis/genesis-account.ts';
import { codeCell } from '../genesis/genesis-code.ts';
import { genesisMultisig } from '../genesis/genesis-multisig.ts';
import { findContract } from './free-items.ts';
import { approvalBody, newOrderBody, orderAddress } from './multisig-messages.ts';
import type { TrafficAct, TrafficKind, TrafficScene } from './traffic-kind.ts';

const TON = 1_000_000_000n;
/** For the order, which carries it back to the multisig when it is executed. */
const ORDER_VALUE = TON;
const PAYMENT = TON / 2n;
const APPROVAL_COST = TON / 10n;
const SIGNERS = 4;
const THRESHOLD = 3;
/** Rounds after which a message to an order is through, in all shards. */
const REST = 12;
/** An approval is for one of the last orders. */
const OPEN_ORDERS = 4;
const LIFETIME = 7 * 86_400;

/**
 * Orders of a multisig of traffic, and approvals: an order is approved by its creator, and executed by the third of four
 * signers. The first order deploys the multisig.
 */
export function multisigKinds(): TrafficKind[] {
  const takenUntil = new Map<string, number>();
  /** Reserves an order for some rounds; false if it is taken. */
  const take = (order: string, { round }: TrafficScene): boolean => {
    if ((takenUntil.get(order) ?? 0) > round) return false;
    takenUntil.set(order, round + REST);
    return true;
  };
  return [
    {
      name: 'multisig order',
      weight: 2,
      transactions: 3,
      // The number is that of the last step: no other order may be under way.
      make: (scene) => (take('next', scene) ? createOrder(scene) : null),
    },
    {
      name: 'multisig approval',
      weight: 3,
      transactions: 3,
      make: (scene) => {
        const found = findApproval(scene);
        return found && take(String(found.seqno), scene) ? approve(scene, found) : null;
      },
    },
  ];
}

const queryId = ({ chance }: TrafficScene) => BigInt(chance.below(2 ** 32));

function getMultisig({ wallets }: TrafficScene): NewContract {
  const signers = wallets.slice(0, SIGNERS).map(({ address }) => address);
  return genesisMultisig(signers, THRESHOLD);
}

function createOrder(scene: TrafficScene): TrafficAct {
  const { chance, wallets, utime } = scene;
  const { address: multisig, code, data } = getMultisig(scene);
  const signer = chance.below(SIGNERS);
  const body = newOrderBody({
    queryId: queryId(scene),
    seqno: readNextNumber(scene, multisig),
    signer,
    expiresAt: utime + LIFETIME,
    to: wallets[chance.below(wallets.length)]!.address,
    value: PAYMENT,
  });
  const transfer = { to: multisig, value: ORDER_VALUE, bounce: true, body, stateInit: { code, data } };
  return { from: wallets[signer]!, transfers: [transfer] };
}

/** An order that waits for approvals, and a signer who has not approved it. */
interface MissingApproval {
  readonly seqno: bigint;
  readonly order: AccountAddress;
  readonly signer: number;
}

/** null: the order and the signer that it picks need nothing. */
function findApproval(scene: TrafficScene): MissingApproval | null {
  const { chance } = scene;
  const multisig = getMultisig(scene).address;
  const seqno = readNextNumber(scene, multisig) - 1n - BigInt(chance.below(OPEN_ORDERS));
  if (seqno < 0n) return null;
  const order = orderAddress(codeCell(MULTISIG_ORDER_CODE), multisig, seqno);
  const details = findContract(scene, order)?.details;
  if (!details || details.sent_for_execution === true) return null;
  if (Number(details.expiration_date) < scene.utime) return null;
  const signer = chance.below(SIGNERS);
  const hasApproved = (BigInt(String(details.approvals_mask)) >> BigInt(signer)) & 1n;
  return hasApproved ? null : { seqno, order, signer };
}

function approve(scene: TrafficScene, { order: to, signer }: MissingApproval): TrafficAct {
  const body = approvalBody(queryId(scene), signer);
  return { from: scene.wallets[signer]!, transfers: [{ to, value: APPROVAL_COST, bounce: true, body }] };
}

/** next_order_seqno:uint256 … (multisig.tolk); 0 before the multisig is deployed. */
function readNextNumber({ account }: TrafficScene, multisig: AccountAddress): bigint {
  const data = account(multisig)?.account.refs[1];
  return data ? openBag(writeBag(data, { index: false })).bigUint(256) : 0n;
}
