import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { SettingError } from '../../platform/config/setting.ts';

const MAX_LANES = 64;
/** One batch of each is being inserted while the next one is decoded: as many as there are processor cores. */
export const REPLAY_LANES = Math.max(2, Math.min(availableParallelism(), MAX_LANES));

export function rangeOptions(command: Command): Command {
  return command
    .addOption(new Option('--from-seqno <A>', 'first masterchain block to decode [default: the first]'))
    .addOption(new Option('--to-seqno <B>', 'last masterchain block to decode [default: the last]'))
    .addOption(
      new Option('--lanes <N>', 'epochs to decode at the same time [default: processors, at least 2]'),
    );
}

export function parsePosition(flags: Record<string, unknown>, name: 'fromSeqno' | 'toSeqno'): number | null {
  const text = flags[name];
  if (text === undefined) return null;
  return wholeNumber(name === 'fromSeqno' ? '--from-seqno' : '--to-seqno', String(text), 0, 2 ** 32 - 1);
}

export function replayLanes(flags: Record<string, unknown>): number {
  return flags.lanes === undefined ? REPLAY_LANES : wholeNumber('--lanes', String(flags.lanes), 1, MAX_LANES);
}

function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new SettingError(flag, {
      found: text,
      allowed: `a whole number from ${least} to ${most}`,
      origin: 'the command line',
    });
  return value;
}
