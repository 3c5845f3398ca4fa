/* Types and comments that several tables of `contracts` share. */

export const TOKEN_KIND =
  "Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3)";
export const TRANSFER_KIND = "Enum8('jetton_transfer' = 0, 'jetton_burn' = 1, 'nft_transfer' = 2)";

export const CONTRACT_KIND =
  "Enum8('nft_sale' = 0, 'nft_auction' = 1, 'teleitem' = 2, 'dns_item' = 3, 'multisig' = 4, 'multisig_order' = 5, 'vesting' = 6, 'nominator_pool' = 7)";
export const CONTRACT_ROLE =
  "Enum8('owner' = 0, 'wallet' = 1, 'bidder' = 2, 'domain' = 3, 'signer' = 4, 'proposer' = 5, 'multisig' = 6, 'sender' = 7, 'whitelisted' = 8, 'nominator' = 9)";

export const STEP = 'Masterchain step that has the row.';
export const PART = 'Partition of the projection that wrote the row.';
