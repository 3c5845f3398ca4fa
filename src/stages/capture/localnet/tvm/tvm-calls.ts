import type {
  BlockContext,
  EmulatedTransaction,
  RefusedMessage,
  TransactionRequest,
} from '../../../../ton/tvm/emulator.ts';
import type { GetMethodRequest, GetMethodResult } from '../../../../ton/tvm/get-method.ts';

/** A transaction tried on a copy of its account: nothing remembers it. */
export interface Trial {
  readonly block: BlockContext;
  readonly request: TransactionRequest;
}

export type TvmCall =
  | { readonly kind: 'get'; readonly request: GetMethodRequest }
  | { readonly kind: 'trial'; readonly trial: Trial };

export type TvmResult = GetMethodResult | EmulatedTransaction | RefusedMessage;

export interface TvmAnswer {
  readonly result?: TvmResult;
  readonly error?: { readonly name: string; readonly message: string };
}
