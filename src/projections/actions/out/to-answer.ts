import type { Columns, Fields } from '../model/action.ts';
import { CALL_CONTRACT, TON_TRANSFER } from '../tree/basic-blocks.ts';
import type { Block } from '../tree/block.ts';

/** Type and `details` as the API answers them. */
export interface Answer {
  readonly answeredType: string;
  /** null: the type has no layout. */
  readonly details: Fields | null;
}

/** A call or transfer with extra currencies is answered under a name of its own, which nothing is stored under. */
export function toAnswer(block: Block, columns: Columns): Answer {
  const { kind, data } = block;
  const isMessage = (kind as unknown) === CALL_CONTRACT || (kind as unknown) === TON_TRANSFER;
  const currencies = columns.value_extra_currencies ?? {};
  const details = kind.details?.(data, block) ?? null;
  if (!isMessage || Object.keys(currencies).length === 0) return { answeredType: kind.type, details };
  const { value_extra_currencies: _, ...rest } = details ?? {};
  return { answeredType: 'extra_currency_transfer', details: { ...rest, extra_currencies: currencies } };
}
