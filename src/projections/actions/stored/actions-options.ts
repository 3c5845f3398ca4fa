import type { LogIdentity } from '../../../engine/projection/projection.ts';
import { isTestnet } from '../../../ton/test-network.ts';
import type { ClassifyOptions } from '../classify.ts';
import type { RulesRelease } from '../match/context.ts';
import type { StepOptions } from './classify-steps.ts';

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

/** The network of actions, and its rules. */
export function getStepOptions(identity: LogIdentity, { release, matchers }: ActionsOptions): StepOptions {
  return {
    network: identity.network,
    release,
    isTestnet: isTestnet(identity),
    ...(matchers && { matchers }),
  };
}
