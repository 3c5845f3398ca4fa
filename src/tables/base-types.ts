/* Types that several tables of `base` share. Amounts are nanotons. */

/** 32 bytes. A hash of zeros means none. */
export const HASH = 'FixedString(32)';
/** Grams are VarUInteger 16: up to 120 bits (block.tlb). */
export const GRAMS = 'UInt128';
/** Extra currencies: id → amount. Amounts are VarUInteger 32: up to 248 bits (block.tlb). */
export const CURRENCIES = 'Map(UInt32, UInt256)';
export const ACCOUNT_STATUS = "Enum8('uninit' = 0, 'frozen' = 1, 'active' = 2, 'nonexist' = 3)";

/** Comment of the column that every table has. */
export const MC_SEQNO = 'Seqno of the masterchain block that committed the block of this row.';
