/** Jettons and NFT items under codes that no table knows, before any detection. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TraceAnswer } from '../../src/api/v3/schemas/trace.ts';
import type { Transfer } from '../../src/localnet/wallets/transfer.ts';
import { REFUSED } from '../helpers/changed-contracts.ts';
import { account, CustomTokenChain, findAction, raw } from '../helpers/custom-token-chain.ts';
import { openSse } from '../helpers/stream-client.ts';

describe('tokens under unknown codes that were never detected', { timeout: 600_000 }, () => {
  let chain: CustomTokenChain;
  beforeAll(async () => {
    chain = await CustomTokenChain.open({ awaited: ['contracts'] });
  }, 600_000);
  afterAll(async () => {
    await chain?.api.close();
    expect(chain?.api.logged).toEqual([]);
  });

  it('are recognised in emulations', async () => {
    const emulate = async (transfer: Transfer) => {
      const body = { boc: chain.message(transfer), with_actions: true };
      return (await chain.post('emulate/v1/emulateTrace', body)).actions;
    };
    for (const [place, one] of chain.jettonCases.entries()) {
      const to = account(0x60 + place);
      const found = findAction(await emulate(one.jetton.transfer(one.requested, { to })), 'jetton_transfer');
      expect(found, one.what).toMatchObject(chain.jettonAction(one, to));
    }
    for (const [queryId, success] of [
      [7n, true],
      [REFUSED, false],
    ] as const) {
      const handover = { to: account(0x70), queryId };
      const found = findAction(await emulate(chain.nfts.transfer(handover)), 'nft_transfer');
      expect(found).toMatchObject(chain.nftAction(handover, success));
    }
  });

  it('are recognised in pending actions', async () => {
    const to = account(0x61);
    const one = chain.jettonCases[0]!;
    const item = { to, queryId: REFUSED };
    const hash = await chain.send(one.jetton.transfer(one.requested, { to }), chain.nfts.transfer(item));
    const { actions } = await chain.get('pendingActions', { ext_msg_hash: hash });
    expect(findAction(actions, 'jetton_transfer')).toMatchObject(chain.jettonAction(one, to));
    expect(findAction(actions, 'nft_transfer')).toMatchObject(chain.nftAction(item, false));
  });

  it('are recognised in traces and in events of streams', async () => {
    await chain.mine(8);
    const stream = await openSse(chain.api.url, {
      types: ['actions'],
      addresses: [chain.owner],
      min_finality: 'finalized',
    });
    for (const [place, one] of chain.jettonCases.entries()) {
      const to = account(0x80 + place);
      const expected = chain.jettonAction(one, to);
      const hash = await chain.send(one.jetton.transfer(one.requested, { to }));
      await chain.mine(8);
      const { traces } = await chain.get('traces', { msg_hash: hash, include_actions: 'true' });
      const [trace] = traces as readonly TraceAnswer[];
      expect(findAction(trace!.actions, 'jetton_transfer'), one.what).toMatchObject(expected);
      await vi.waitFor(
        () => {
          const actions = stream.events.flatMap(({ data }) => (data.actions as object[] | undefined) ?? []);
          const details = expect.objectContaining(expected.details);
          expect(actions).toContainEqual(expect.objectContaining({ ...expected, details }));
        },
        { timeout: 120_000, interval: 200 },
      );
    }
    await stream.close();
  });

  it('are recognised as minted and burned', async () => {
    for (const { jetton, what } of chain.jettonCases.slice(0, 3)) {
      const asset = raw(jetton.minter.address);
      const wallet = raw(jetton.walletOf(chain.ownerAddress));
      const minted = await chain.send(jetton.mint(1_000n));
      const burned = await chain.send(jetton.burn(500n));
      await chain.mine(8);
      const actionsOf = async (hash: string) => {
        const { traces } = await chain.get('traces', { msg_hash: hash, include_actions: 'true' });
        return (traces as readonly TraceAnswer[])[0]!.actions;
      };
      expect(findAction(await actionsOf(minted), 'jetton_mint'), what).toMatchObject({
        success: true,
        details: { asset, amount: '1000', receiver: chain.owner, receiver_jetton_wallet: wallet },
      });
      expect(findAction(await actionsOf(burned), 'jetton_burn'), what).toMatchObject({
        success: true,
        details: { asset, amount: '500', owner: chain.owner, owner_jetton_wallet: wallet },
      });
    }
  });
});
