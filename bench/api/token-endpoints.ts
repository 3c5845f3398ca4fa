import { type Endpoint, endpoint, several } from './endpoints.ts';
import { type TokenCounts, tokenAddress } from './fill-tokens.ts';

const LIMIT = 100;
const V3 = '/api/v3';

/** Token endpoints as wallets and explorers ask them, with owners and masters spread over all there are. */
export function tokenEndpoints({ owners, masters }: TokenCounts, count: number): Endpoint[] {
  const some = (kind: 'owner' | 'master', all: number) =>
    Array.from(
      { length: Math.min(count, all) },
      (_, i) => `0:${tokenAddress(kind, Math.floor((i * all) / Math.min(count, all)))}`,
    );
  const people = some('owner', owners);
  const parents = some('master', masters);
  return [
    endpoint(
      'jetton wallets of an owner',
      people,
      (owner) => `${V3}/jetton/wallets?owner_address=${owner}&limit=${LIMIT}`,
    ),
    endpoint(
      'holders of a master',
      parents,
      (master) => `${V3}/jetton/wallets?jetton_address=${master}&sort=desc&limit=${LIMIT}`,
    ),
    endpoint(
      'NFT items of an owner',
      people,
      (owner) => `${V3}/nft/items?owner_address=${owner}&limit=${LIMIT}`,
    ),
    endpoint(
      'transfers of an account',
      people,
      (owner) => `${V3}/jetton/transfers?owner_address=${owner}&limit=${LIMIT}`,
    ),
    endpoint(
      'transfers of a master',
      parents,
      (master) => `${V3}/jetton/transfers?jetton_master=${master}&limit=${LIMIT}`,
    ),
    endpoint('metadata of 20', several(parents), (addresses) => `${V3}/metadata?address=${addresses}`),
  ];
}
