import { genesisWallets } from '../../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../../src/localnet/localnet-source.ts';
import { walletMessage } from '../../../../src/localnet/wallets/transfer.ts';
import type { Wallet } from '../../../../src/localnet/wallets/wallet.ts';
import { formatRaw } from '../../../../src/ton/address/address.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import { toBase64 } from '../../../../src/ton/hash/base64.ts';
import { short } from '../answer-rules.ts';
import { type Call, jsonCall } from '../http-call.ts';

/** A question with a known answer. */
export interface HonestCall {
  readonly name: string;
  readonly call: Call;
  /** The answer's JSON is the right one. */
  isRight(json: Json): boolean;
}

/** JSON as the checks below look into it; what they expect and do not find throws. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what is checked
type Json = any;

/** The unused wallet of the genesis: its answers are known. */
export function untouchedWallet(seed: string): Wallet {
  return genesisWallets(seed, LOCALNET_GLOBAL_ID).wallets.find(({ version }) => version === 'v3r2')!;
}

const BALANCE = '1000000000000000';
const FOR_EVER = 0xffff_ffff;

/** Calls of an honest client to the local chain of `seed`, one of each kind. */
export function honestCalls(seed: string): HonestCall[] {
  const wallet = untouchedWallet(seed);
  const address = formatRaw(wallet.address.workchain, wallet.address.address);
  const transfer = { to: wallet.address, value: 1n, bounce: false };
  const body = walletMessage(wallet, [transfer], { seqno: 0, validUntil: FOR_EVER }).refs.at(-1)!;
  const boc = toBase64(writeBag(body, { index: false }));
  return [
    {
      name: 'masterchainInfo',
      call: { path: '/api/v3/masterchainInfo' },
      isRight: (json) => json.last.seqno > 0 && json.last.workchain === -1,
    },
    {
      name: 'transactions',
      call: { path: '/api/v3/transactions?limit=10' },
      isRight: (json) => json.transactions.length === 10 && json.transactions[0].hash.length === 44,
    },
    {
      name: 'accountStates',
      call: { path: `/api/v3/accountStates?address=${encodeURIComponent(address)}` },
      isRight: ({ accounts }) => accounts[0].address === address && accounts[0].balance === BALANCE,
    },
    {
      name: 'runGetMethod',
      call: jsonCall('/api/v3/runGetMethod', { address, method: 'seqno', stack: [] }),
      isRight: (json) => json.exit_code === 0 && Number(json.stack[0].value) === 0,
    },
    {
      name: 'estimateFee',
      call: jsonCall('/api/v3/estimateFee', { address, body: boc, ignore_chksig: true }),
      isRight: (json) => json.source_fees.gas_fee > 0 && json.source_fees.in_fwd_fee > 0,
    },
    {
      name: 'getAddressInformation',
      call: { path: `/api/v2/getAddressInformation?address=${encodeURIComponent(address)}` },
      isRight: (json) => json.ok === true && String(json.result.balance) === BALANCE,
    },
  ];
}

/** Why an answer to an honest call is wrong; null if it is right. */
export function wrongHonestAnswer(honest: HonestCall, status: number, text: string): string | null {
  const found = () => `${honest.name}: status ${status} ${short(text)}`;
  if (status !== 200) return found();
  try {
    return honest.isRight(JSON.parse(text)) ? null : found();
  } catch {
    return found();
  }
}
