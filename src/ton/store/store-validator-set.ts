import type { CellBuilder } from '../cell/cell-builder.ts';
import { numberKey } from '../cell/key-bits.ts';
import { NO_EXTRA, Trie, type TrieForm } from '../cell/trie.ts';
import type { ValidatorDescr, ValidatorSet } from '../tlb/validator-set.ts';

const LIST: TrieForm<ValidatorDescr, null> = { keyBits: 16, store: storeValidatorDescr, extra: NO_EXTRA };

// validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) { main <= total } { main >= 1 }
//   total_weight:uint64 list:(HashmapE 16 ValidatorDescr) = ValidatorSet;
export function storeValidatorSet(builder: CellBuilder, set: ValidatorSet): void {
  let list = Trie.empty<ValidatorDescr>(LIST);
  for (const [index, descr] of set.list.entries()) list = list.set(numberKey(index, 16), descr);
  builder.uint(0x12, 8).uint(set.since, 32).uint(set.until, 32).uint(set.total, 16).uint(set.main, 16);
  builder.u64(set.totalWeight);
  list.store(builder);
}

// validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr;
// validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 = ValidatorDescr;
// ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
function storeValidatorDescr(builder: CellBuilder, { publicKey, weight, adnl }: ValidatorDescr): void {
  builder
    .uint(adnl ? 0x73 : 0x53, 8)
    .uint(0x8e81278a, 32)
    .bytes(publicKey)
    .u64(weight);
  if (adnl) builder.bytes(adnl);
}
