import type { LogIdentity } from '../../../engine/projection/projection.ts';
import { isTestnet } from '../../../ton/test-network.ts';
import type { ClassifyOptions } from '../classify.ts';
import type { RulesRelease } from '../match/context.ts';

/** Settings that actions are made with. */
export interface ActionsOptions {
  /** Names of the projections that facts are looked up in. */
  readonly chain: string;
  readonly tokens: string;
  readonly detected: string;
  readonly release: RulesRelease;
  /** Default: every family's. */
  readonly matchers?: ClassifyOptions['matchers'];
}

/** The rules of a network's actions. */
export function getClassifyOptions(
  identity: LogIdentity | undefined,
  { release, matchers }: ActionsOptions,
): ClassifyOptions {
  return {
    release,
    isTestnet: identity !== undefined && isTestnet(identity),
    ...(matchers && { matchers }),
  };
}
