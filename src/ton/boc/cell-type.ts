/** Cell types: exotic cells carry theirs in the first byte of data, an ordinary cell is 0. */
export const ORDINARY = 0;
export const PRUNED = 1;
export const LIBRARY = 2;
export const MERKLE_PROOF = 3;
export const MERKLE_UPDATE = 4;
