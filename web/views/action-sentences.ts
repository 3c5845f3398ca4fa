/**
 * Sentences of actions by type. `{path}` is a field of `details` (docs/contract/v3-actions.md): an address, or with `:ton`
 * nanotons, with `:asset` an amount of the token in the field that follows, with `:text` text.
 */
export const SENTENCES: Readonly<Record<string, string>> = {
  call_contract: '{source} called {destination} with {opcode:text}, sending {value:ton}',
  ton_transfer: '{source} sent {value:ton} to {destination}',
  contract_deploy: '{source} deployed the contract {destination}',
  tick_tock: 'The chain started {account} by itself',
  jetton_transfer: '{sender} sent {amount:asset} to {receiver}',
  jetton_burn: '{owner} burned {amount:asset}',
  jetton_mint: '{receiver} got {amount:asset} newly minted',
  jetton_swap:
    '{sender} swapped {dex_incoming_transfer.amount:dex_incoming_transfer.asset} for {dex_outgoing_transfer.amount:dex_outgoing_transfer.asset} on {dex:text}',
  dex_deposit_liquidity: '{source} deposited liquidity into {pool} on {dex:text}',
  dex_withdraw_liquidity: '{source} withdrew liquidity from {pool} on {dex:text}',
  nft_mint: '{owner} minted the NFT {nft_item}',
  nft_transfer: '{old_owner} transferred the NFT {nft_item} to {new_owner}',
  nft_purchase: '{new_owner} bought the NFT {nft_item} for {price:ton}',
  nft_put_on_sale: '{owner} put the NFT {nft_item} on sale for {full_price:ton}',
  nft_put_on_auction: '{owner} put the NFT {nft_item} up for auction',
  nft_cancel_sale: '{owner} canceled the sale of the NFT {nft_item}',
  nft_cancel_auction: '{owner} canceled the auction of the NFT {nft_item}',
  nft_finish_auction: '{owner} finished the auction of the NFT {nft_item}',
  nft_update_sale: '{source} changed the price of the NFT {nft_address} to {full_price:ton}',
  nft_discovery: '{source} asked the NFT {nft_item} for its data',
  auction_bid: '{bidder} bid {amount:ton} for the NFT {nft_item}',
  auction_outbid: '{new_bidder} outbid {bidder} for the NFT {nft_item}',
  change_dns: '{source} changed a record of the name {asset}',
  delete_dns: '{source} deleted a record of the name {asset}',
  renew_dns: '{source} renewed the name {asset}',
  dns_purchase: '{new_owner} bought the name {nft_item} for {price:ton}',
  dns_release: '{source} released the name {nft_item}',
  subscribe: '{subscriber} subscribed to {beneficiary} for {amount:ton}',
  unsubscribe: '{subscriber} ended the subscription {subscription}',
  multisig_create_order: '{source} created the order {destination_order} of {destination}',
  multisig_approve: '{source} approved the order {destination}',
  multisig_execute: '{source} executed its order on {destination}',
  vesting_send_message: '{source} sent {amount:ton} from the vesting {vesting} to {destination}',
  vesting_add_whitelist: '{source} added addresses to the whitelist of {vesting}',
  election_deposit: '{stake_holder} staked {amount:ton} in the elections',
  election_recover: '{stake_holder} recovered {amount:ton} from the elections',
  stake_deposit: '{stake_holder} staked {amount:ton} in {pool}',
  stake_withdrawal: '{stake_holder} withdrew {amount:ton} from {pool}',
  stake_withdrawal_request: '{stake_holder} asked for a withdrawal from {pool}',
};

/** Part of a sentence: text, or a field and how it is written. */
export type SentencePart =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'address'; readonly value: string | null }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'ton'; readonly value: string | null }
  | { readonly kind: 'tokens'; readonly value: string | null; readonly asset: string | null };

/** The parts of an action's sentence; null if its type has no sentence. */
export function toSentence(type: string, details: Readonly<Record<string, unknown>>): SentencePart[] | null {
  const sentence = Object.hasOwn(SENTENCES, type) ? SENTENCES[type] : undefined;
  if (sentence === undefined) return null;
  return sentence.split(/(\{[^}]+\})/).flatMap((piece): SentencePart[] => {
    const found = /^\{([^:}]+)(?::([^}]+))?\}$/.exec(piece);
    if (!found) return piece === '' ? [] : [{ kind: 'words', text: piece }];
    return [toPart(details, found[1] ?? '', found[2])];
  });
}

function toPart(
  details: Readonly<Record<string, unknown>>,
  path: string,
  form: string | undefined,
): SentencePart {
  const value = readPath(details, path);
  if (form === undefined) return { kind: 'address', value };
  if (form === 'text') return { kind: 'text', value: value ?? 'no name' };
  if (form === 'ton') return { kind: 'ton', value };
  // A swap's side without an asset is in TON.
  return { kind: 'tokens', value, asset: readPath(details, form) };
}

function readPath(details: Readonly<Record<string, unknown>>, path: string): string | null {
  let value: unknown = details;
  for (const name of path.split('.')) value = (value as Readonly<Record<string, unknown>> | null)?.[name];
  return value === null || value === undefined ? null : String(value);
}
