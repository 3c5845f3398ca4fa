import { describe, expect, it } from 'vitest';
import {
  planContracts,
  planDomains,
  planLedAuctions,
  planNames,
  planOnce,
  planWallets,
} from '../../../src/api/entities/contracts/plan.ts';
import { planCustody } from '../../../src/api/entities/contracts/plan-custody.ts';
import { soldItems } from '../../../src/api/entities/contracts/sold-items.ts';
import type { TokenFilter, TokenSource } from '../../../src/api/entities/tokens/filter.ts';
import type { TokenOrder } from '../../../src/api/entities/tokens/model.ts';
import {
  planAbove,
  planCandidates,
  planChildCodes,
  planFirstTokens,
  planHiddenTokens,
  planNamed,
  planNewestTokens,
  planOwned,
  planRanked,
  planTokens,
  planTokensAt,
} from '../../../src/api/entities/tokens/plan.ts';
import type { TransferFilter } from '../../../src/api/entities/transfers/filter.ts';
import {
  planDetectedReceivers,
  planTransferFloor,
  planTransferKeys,
  planTransfers,
  planTransfersByKey,
} from '../../../src/api/entities/transfers/plan.ts';
import { identifier, type Sql } from '../../../src/api/query/sql.ts';
import { goldenSql } from '../../helpers/golden-sql.ts';

/* The text of the queries about tokens, transfers and contracts, one golden file a plan (golden/*.sql). */

const SOURCE: TokenSource = {
  database: 'contracts',
  visible: { first: 10, last: 90 },
  detected: 'detections',
  claims: 'meta.mintless_amounts',
};
const PAGE = { limit: 100, offset: 0, descending: true };
const A = { workchain: 0, hash: 'AA'.repeat(32) };
const B = { workchain: -1, hash: 'BB'.repeat(32) };
const CODE = 'CD'.repeat(32);
const PLACE = { since: 7, lt: '5', amount: '9', parent: A.hash, account: B.hash, workchain: -1 };
const KEYS = [{ lt: '5', account: A.hash, workchain: 0, now: 3 }];

const match = (statement: Sql, name: string) =>
  expect(goldenSql(statement)).toMatchFileSnapshot(`golden/${name}.sql`);

describe('queries of tokens', () => {
  it.each<[string, TokenFilter, TokenOrder]>([
    ['masters', { kind: 'jetton_master' }, 'first'],
    ['masters-scan', { kind: 'jetton_master', after: PLACE }, 'first'],
    ['wallets-of-owners', { kind: 'jetton_wallet', owners: [A, B], isAboveZero: true }, 'owner, amount'],
    ['wallets-of-master', { kind: 'jetton_wallet', parents: [A], after: PLACE }, 'amount'],
    ['items', { kind: 'nft_item', parents: [A], amounts: ['1'] }, 'index'],
    ['items-and-sold', { kind: 'nft_item', owners: [A], sold: soldItems(SOURCE, [A]) }, 'parent, index'],
  ])('%s', async (name, filter, order) => {
    const list = { filter, order, page: PAGE };
    await match(planTokens(SOURCE, list), `tokens-${name}`);
    await match(planTokensAt(SOURCE, list), `tokens-${name}-at`);
    await match(planTokens({ ...SOURCE, detected: null }, list), `tokens-${name}-from-cells`);
  });

  it('by keys and indexes', async () => {
    const wallets = { kind: 'jetton_wallet', parents: [A] } as const;
    const list = { filter: wallets, order: 'amount', page: PAGE } as const;
    await match(planNewestTokens(SOURCE, [A, B]), 'tokens-newest');
    await match(planOwned(SOURCE, { kind: 'nft_item', owners: [A] }), 'tokens-owned');
    await match(planNamed(SOURCE, ['jetton_master', 'nft_collection'], [A, B]), 'tokens-named');
    await match(planCandidates(SOURCE, { kind: 'jetton_wallet' }, 50), 'tokens-candidates');
    await match(planCandidates(SOURCE, { ...wallets, after: PLACE }, 50), 'tokens-candidates-of-parent');
    await match(
      planRanked(SOURCE, { ...list, filter: { ...wallets, after: PLACE } }, [CODE, '0'.repeat(64)], 150),
      'tokens-ranked',
    );
    await match(planAbove(SOURCE, list), 'tokens-above');
    await match(planChildCodes(SOURCE, list), 'tokens-child-codes');
    await match(planHiddenTokens(SOURCE, list), 'tokens-hidden');
    const items = { filter: { kind: 'nft_item' }, order: 'first', page: PAGE } as const;
    await match(planFirstTokens(SOURCE, items), 'tokens-first');
    await match(planHiddenTokens(SOURCE, items, true), 'tokens-first-hidden');
  });
});

describe('queries of transfers', () => {
  const kind = 'jetton_transfer' as const;
  it.each<[string, TransferFilter]>([
    ['owner', { kind, owners: [A] }],
    ['owner-in-time', { kind, owners: [A], direction: 'in', startUtime: 1, endUtime: 2 }],
    ['wallets', { kind, accounts: [A, B], startLt: '1', endLt: '9', excludesAborted: true }],
    ['master-scan', { kind, parents: [A], scan: { after: PLACE, descending: true, newFrom: 50 } }],
    ['collection', { kind: 'nft_transfer', parents: [A] }],
  ])('%s', async (name, filter) => {
    await match(planTransferKeys(SOURCE, filter, PAGE), `transfers-${name}-keys`);
    await match(planTransfers(SOURCE, filter, PAGE, { keys: null, isNamed: true }), `transfers-${name}`);
    await match(
      planTransfers(SOURCE, filter, PAGE, { keys: KEYS, isNamed: true }),
      `transfers-${name}-among`,
    );
  });

  it('by keys', async () => {
    await match(planTransfersByKey(SOURCE, { kind }, KEYS), 'transfers-by-key');
    await match(
      planDetectedReceivers({ ...SOURCE, detected: 'detections' }, kind, [A, B]),
      'transfers-receivers',
    );
    await match(planTransferFloor(SOURCE, 'base', kind), 'transfers-floor');
  });
});

describe('queries of contracts', () => {
  const kinds = ['nft_sale', 'dns_item'] as const;
  const zones = [`0:${A.hash}`];
  const place = { domain: 'a.ton', account: A.hash, workchain: 0 };
  it('of accounts and names', async () => {
    await match(planContracts(SOURCE, { kinds, addresses: [A, B] }), 'contracts');
    await match(planOnce(identifier('contracts', 'contract_states'), kinds, [A]), 'contracts-once');
    await match(planWallets(SOURCE, [A]), 'names-wallets');
    await match(planDomains(SOURCE, [A], zones), 'names-domains');
    await match(planDomains(SOURCE, [A], 'any'), 'names-domains-any');
    const byWallet = { kinds, party: 'wallet', keys: [A] } as const;
    await match(planNames(SOURCE, byWallet, zones, { page: PAGE, after: place }), 'names-of-wallet');
    const byName = { kinds, domainHash: CODE, domain: 'a.ton' } as const;
    await match(planNames(SOURCE, byName, zones, { page: PAGE, after: null }), 'names-of-domain');
    const led = { bidder: A, isRunning: true, now: 5, after: { endTime: '6', address: `0:${A.hash}` } };
    await match(planLedAuctions(SOURCE, led, zones, PAGE), 'names-led-auctions');
  });

  it('that hold coins for several accounts', async () => {
    const members = { accounts: [A], roles: ['signer', 'proposer'] } as const;
    const scan = { after: { lt: '5', account: A.hash, workchain: 0 }, descending: true };
    await match(planCustody(SOURCE, { kind: 'multisig', members, scan }, PAGE, 'lt'), 'custody-multisigs');
    await match(
      planCustody(SOURCE, { kind: 'multisig_order', parents: [A], mostOfParent: 3 }, PAGE, 'lt'),
      'custody-orders',
    );
    await match(planCustody(SOURCE, { kind: 'vesting', addresses: [A] }, PAGE, 'first'), 'custody-vesting');
  });
});
