import type { ServeContext } from '../../src/api/serve-context.ts';
import { startServing } from '../../src/api/serve-stage.ts';

/** Lists of tokens and actions that read `contracts` and `detections` together. */
const LISTS = [
  'jetton/masters?limit=100',
  'jetton/wallets?limit=100',
  'jetton/transfers?limit=100',
  'jetton/transfers?limit=5&sort=asc',
  'jetton/burns?limit=100',
  'nft/collections?limit=100',
  'nft/items?limit=100',
  'nft/transfers?limit=100',
  'actions?limit=100',
  'actions?limit=10&sort=asc&include_accounts=true',
  'traces?limit=50&include_actions=true',
];

/** Accounts whose lists are requested too, in raw form. */
export interface TokenAccounts {
  readonly owners: readonly string[];
  readonly masters: readonly string[];
  readonly collections: readonly string[];
}

/** Paths of the lists of tokens and actions: all, by owner, by jetton and by collection. */
export function tokenPaths({ owners, masters, collections }: TokenAccounts): readonly string[] {
  return [
    ...LISTS,
    ...owners.flatMap((owner) => [
      `jetton/wallets?owner_address=${owner}&limit=100`,
      `jetton/transfers?owner_address=${owner}&direction=in&limit=100`,
      `nft/items?owner_address=${owner}&limit=100`,
      `nft/transfers?owner_address=${owner}&limit=100`,
      `actions?account=${owner}&limit=100`,
    ]),
    ...masters.flatMap((master) => [
      `jetton/masters?address=${master}`,
      `jetton/wallets?jetton_address=${master}&limit=100&sort=desc`,
      `jetton/transfers?jetton_master=${master}&limit=100`,
    ]),
    ...collections.flatMap((collection) => [
      `nft/items?collection_address=${collection}&limit=100`,
      `nft/transfers?collection_address=${collection}&limit=100`,
    ]),
  ];
}

/** Status and body of each path of `/api/v3`. */
export async function readAnswers(
  url: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const path of paths) {
    const reply = await fetch(`${url}/api/v3/${path}`);
    answers.set(path, `${reply.status} ${await reply.text()}`);
  }
  return answers;
}

/** Starts another server of the same index without a response cache: each answer is read from the store. */
export function startUncached(context: ServeContext): ReturnType<typeof startServing> {
  const settings = { ...context.settings, responseCacheMb: 0 };
  return startServing({ ...context, settings }, { host: '127.0.0.1', port: 0 });
}
