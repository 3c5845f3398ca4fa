import { toBidaskTrades } from './bidask.ts';
import { toMegatonTrades } from './megaton.ts';
import { toMoonTrades } from './moon.ts';
import { toLaunchpadTrades } from './to-launchpad-trades.ts';
import type { Trade } from './trade.ts';
import type { TradeTrace } from './trade-trace.ts';

/** The trades of a trace that are no actions. */
export function toTracedTrades(trace: TradeTrace): readonly Trade[] {
  return [toLaunchpadTrades, toBidaskTrades, toMoonTrades, toMegatonTrades].flatMap((read) => read(trace));
}
