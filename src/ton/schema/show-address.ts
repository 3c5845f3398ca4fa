import type { Json, Reading } from './reading.ts';
import { showBits } from './show-bits.ts';

const NOTHING = { '@type': 'nothing_from_maybe' } as const;

/**
 * Shows an address of any kind.
 *
 *     addr_none$00 = MsgAddressExt;
 *     addr_external$01 len:(## 9) external_address:(bits len) = MsgAddressExt;
 *     addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;
 *     addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len) = MsgAddressInt;
 *
 * @throws CellError, LimitError
 */
export function showAddress(reading: Reading): Json {
  const { slice } = reading;
  switch (slice.uint(2)) {
    case 0:
      reading.budget.take(9);
      return { '@type': 'addr_none' };
    case 1: {
      const length = slice.uint(9);
      return {
        '@type': 'addr_external',
        len: reading.number(length),
        external_address: reading.text(showBits(slice, length)),
      };
    }
    case 2:
      return {
        '@type': 'addr_std',
        anycast: showAnycast(reading),
        workchain_id: reading.number(slice.int(8)),
        address: reading.text(showBits(slice, 256)),
      };
    default:
      return showVariable(reading);
  }
}

function showVariable(reading: Reading): Json {
  const { slice } = reading;
  const anycast = showAnycast(reading);
  const length = slice.uint(9);
  return {
    '@type': 'addr_var',
    anycast,
    addr_len: reading.number(length),
    workchain_id: reading.number(slice.int(32)),
    address: reading.text(showBits(slice, length)),
  };
}

// anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;
function showAnycast(reading: Reading): Json {
  const { slice } = reading;
  reading.budget.take(0);
  if (!slice.bit()) return NOTHING;
  const depth = slice.uint(5);
  const value = {
    '@type': 'anycast_info',
    depth: reading.number(depth),
    rewrite_pfx: reading.text(showBits(slice, depth)),
  };
  return { '@type': 'something_from_maybe', value };
}
