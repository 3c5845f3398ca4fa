/* Types and comments that several tables of `contracts` share. */

export const TOKEN_KIND =
  "Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3)";
export const TRANSFER_KIND = "Enum8('jetton_transfer' = 0, 'jetton_burn' = 1, 'nft_transfer' = 2)";

export const STEP = 'Masterchain step that has the row.';
export const PART = 'Partition of the projection that wrote the row.';
