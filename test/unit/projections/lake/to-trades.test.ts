import { describe, expect, it } from 'vitest';
import { toTrades } from '../../../../src/projections/lake/to-trades.ts';
import { type LakeAction, lakeActions, recordedTraces } from '../../../helpers/lake-actions.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

const TON = `0:${'0'.repeat(64)}`;
const USDT = '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE';
const TONCO_TON = '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E';

describeWithData('trades of recorded swaps', (data) => {
  const swaps = recordedTraces(`${data}/traces`)
    .flatMap(lakeActions)
    .filter(({ action }) => action.type === 'jetton_swap');
  const tradesOf = ({ action, transactions }: LakeAction) => toTrades(action, transactions);
  const inTrace = (trace: string, dex: string) =>
    swaps.filter(({ action }) => action.traceId === trace && action.details.dex === dex).flatMap(tradesOf);

  it('are one a pool, at every exchange', () => {
    const counts = new Map<string, number>();
    for (const swap of swaps) {
      const hops = Math.max(1, (swap.action.details.peer_swaps as unknown[]).length);
      const trades = tradesOf(swap);
      expect([swap.action.traceId, trades.length]).toEqual([swap.action.traceId, hops]);
      expect(new Set(trades.map(({ pool }) => pool)).size).toBe(hops);
      for (const { project, version } of trades)
        counts.set(`${project} ${version}`, (counts.get(`${project} ${version}`) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(['coffee 1', 'dedust 2', 'ston.fi 1', 'ston.fi 2', 'tonco 1']);
  });

  it('of ston.fi 2 through two routers have the trader, the referrer, the router and the query id of the route', () => {
    const [first, second] = inTrace('00BTqIs6w2qgKXyjfUIwS1WMPbYzWvOn0P16eku/O+4=', 'stonfi_v2');
    expect(first).toMatchObject({
      trader: '0:1FB062431B96BA9615C52239F7F4A2180E12819F8019A91CC792B61AA2F4311E',
      pool: '0:5BB0C8F22D18FEC491387AA31BB60001BCFAB7E1317F8708801840141946F9B0',
      router: '0:6280C9DB638354D6EC1DBF37ABB55E66BFFC88EF6F3647E7DF5BB5D91563C455',
      bought: USDT,
      amountSold: 7205784725n,
      amountBought: 37841924n,
      referral: '0:9BA0BDF7B79182F40F100DBC4FEF0A91D212153A10E6010C03D272560B67BA4F',
      queryId: 275159749889n,
      time: 1733306692,
    });
    expect(second).toMatchObject({
      trader: first?.trader,
      sold: USDT,
      amountSold: first?.amountBought,
      router: '0:320FB3BC0AF55D47C00425CAFDE9F1C8D627C5AB6D52F1032DD5CCE2E487C93F',
      queryId: 275159749889n,
    });
    expect(second?.pool).not.toBe(first?.pool);
  });

  it('of ston.fi 1 show TON as its wrapped TON', () => {
    expect(inTrace('utNOlIUjzWv7MRoSUfkjHkBaIg40RkYMLOy9ljAaykQ=', 'stonfi')).toMatchObject([
      {
        router: '0:779DCC815138D9500E449C5291E7F12738C23D575B5310000F6A253BD607384E',
        bought: '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
        referral: '0:C21FABD3D0CBD5A746C160D8E838DA6481BE7534C3CD3895C54161B9E17A0802',
        queryId: null,
      },
    ]);
  });

  it('of dedust have the reserves that the pools log, in the order of the trade', () => {
    expect(inTrace('C7bHOfSrBJPLHXMZkVnIQladzgYZHIlKOiJRvbxRRuI=', 'dedust')).toMatchObject([
      { bought: TON, amountBought: 94771943760n, reserves: [1314082204453819n, 36654101306253n] },
      { sold: TON, amountSold: 94771943760n, reserves: [15598167403658n, 22877159472471857n] },
    ]);
  });

  it('of tonco and coffee follow a route', () => {
    expect(inTrace('CjtIXjqazbSFrtPqqMMFBgMG6+huwp5CfNtXpQAf8xY=', 'tonco')).toMatchObject([
      { sold: USDT, bought: TONCO_TON, amountBought: 2907640091n, queryId: 0n },
      { sold: TONCO_TON, amountSold: 2907640091n, amountBought: 541070180798n },
    ]);
    const [first, second] = inTrace('dp1xdxzIC7tCyZfy80VTW5be7SimpOOTnuf3/8BZjb0=', 'coffee');
    expect(first?.reserves).toEqual([5568686617n, 1740525350061n]);
    expect(second?.reserves).not.toBeNull();
    expect(second).toMatchObject({ referral: first?.referral, queryId: 16905987724385697n, sold: TON });
  });

  it('are left out if the pools of the route are not all there', () => {
    const swap = swaps.find(({ action }) => (action.details.peer_swaps as unknown[]).length === 2)!;
    const [trade] = tradesOf(swap);
    const others = swap.transactions.filter(({ account }) => account !== trade?.pool);
    expect(toTrades(swap.action, others)).toEqual([]);
  });
});

describe('a swap at an exchange that dex_trades does not have', () => {
  it('is no trade', () => {
    const details = { dex: 'dedust_v2', peer_swaps: [] };
    const action = { position: 1, type: 'jetton_swap', traceId: '', actionId: '', txHashes: [], details };
    expect(toTrades(action, [])).toEqual([]);
  });
});
