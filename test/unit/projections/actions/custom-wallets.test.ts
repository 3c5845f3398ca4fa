/** Transfers of jettons whose wallets have a code of their own (issue 41). */
import { describe, expect, it } from 'vitest';
import type { AccountFacts } from '../../../../src/ton/contracts/account-facts.ts';
import { address, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';
import { classified, jettonWallet, type Known, withQuery } from '../../../helpers/classified-actions.ts';

const [USER, OTHER, MASTER, WALLET, OTHER_WALLET, FEE_WALLET, COLLECTOR] = [...'uomwxfc'].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const CUSTOM = Buffer.alloc(32, 0xc0).toString('base64');
/** Wallet of the local chain's jetton: its data is read from cells. */
const KNOWN = Buffer.from('73c3c99098b92a84638c4a1e8e1720330ab4c565db14930832db08411a0493b4', 'hex').toString(
  'base64',
);

const walletOf = (owner: string, codeHash: string): AccountFacts => ({
  ...jettonWallet(owner, MASTER),
  codeHash,
});
const known = (codeHash: string): Known => ({
  [WALLET]: walletOf(USER, codeHash),
  [OTHER_WALLET]: walletOf(OTHER, codeHash),
});

function request(amount: bigint, sends: readonly Sent[], aborted = false): Sent {
  const body = withQuery((builder) => {
    putAddress(putAddress(builder.coins(amount), OTHER), USER)
      .bit(false)
      .coins(1n)
      .bit(false);
  });
  return { to: USER, sends: [{ op: 0x0f8a7ea5, to: WALLET, body, sends, aborted }] };
}

function internal(amount: bigint, to: string, more: Partial<Sent> = {}): Sent {
  const body = withQuery((builder) => {
    putAddress(putAddress(builder.coins(amount), USER), USER)
      .coins(1n)
      .bit(false);
  });
  return { op: 0x178d4519, to, body, ...more };
}

function notice(amount: bigint, to = OTHER): Sent {
  const body = withQuery((builder) => void putAddress(builder.coins(amount), USER).bit(false));
  return { op: 0x7362d09c, to, body };
}

const transfer = {
  type: 'jetton_transfer',
  success: true,
  details: {
    asset: MASTER,
    sender: USER,
    receiver: OTHER,
    sender_jetton_wallet: WALLET,
    receiver_jetton_wallet: OTHER_WALLET,
    amount: 900n,
  },
};
const failed = { ...transfer, success: false };
const of = (root: Sent, facts: Known) => classified(traceFrom(root), facts);

describe('a transfer between wallets under a custom code', () => {
  it.each([
    ['the sender sends less', internal(900n, OTHER_WALLET)],
    ['the receiver credits less', internal(1_000n, OTHER_WALLET, { sends: [notice(900n)] })],
  ])('has the credited amount: %s', (_, received) => {
    expect(of(request(1_000n, [received]), known(CUSTOM))).toMatchObject([transfer]);
  });

  it('is to the named receiver, even if a fee goes to another wallet first', () => {
    const facts = { ...known(CUSTOM), [FEE_WALLET]: walletOf(COLLECTOR, CUSTOM) };
    const fee = internal(100n, FEE_WALLET, { sends: [notice(100n, COLLECTOR)] });
    const root = request(1_000n, [fee, internal(900n, OTHER_WALLET)]);
    expect(of(root, facts)).toMatchObject([transfer]);
  });

  it('reads no notice to another account, nor one that is unreadable', () => {
    const other = internal(900n, OTHER_WALLET, { sends: [notice(100n, COLLECTOR)] });
    const short = internal(900n, OTHER_WALLET, { sends: [{ op: 0x7362d09c, to: OTHER }] });
    for (const received of [other, short])
      expect(of(request(1_000n, [received]), known(CUSTOM))[0]).toMatchObject(transfer);
  });

  it('failed if the receiver bounced it, even if its wallet never had a state', () => {
    const bounced = internal(900n, OTHER_WALLET, {
      aborted: true,
      sends: [{ op: 0xffffffff, to: WALLET }],
    });
    expect(of(request(1_000n, [bounced]), known(CUSTOM))).toMatchObject([failed]);
    const { [OTHER_WALLET]: _, ...sender } = known(CUSTOM);
    expect(of(request(1_000n, [bounced]), sender)).toMatchObject([failed]);
    // By the contract, a standard wallet without facts leaves calls.
    const { [OTHER_WALLET]: __, ...standard } = known(KNOWN);
    expect(of(request(1_000n, [bounced]), standard)[0]).toMatchObject({ type: 'call_contract' });
  });

  it('failed if the sender refused it; a stranger, or a standard wallet, leaves a call', () => {
    const details = { ...failed.details, receiver_jetton_wallet: null, amount: 13n };
    const root = request(13n, [], true);
    expect(of(root, known(CUSTOM))).toMatchObject([{ ...failed, details }]);
    const calls = [{ type: 'call_contract', success: false }];
    expect(of(root, known(KNOWN))).toMatchObject(calls);
    expect(of(root, { [WALLET]: walletOf(OTHER, CUSTOM) })).toMatchObject(calls);
  });
});

it('a standard wallet has the amount of the internal transfer, whatever its notice has', () => {
  const root = request(900n, [internal(900n, OTHER_WALLET, { sends: [notice(1n)] })]);
  expect(of(root, known(KNOWN))).toMatchObject([transfer]);
});
