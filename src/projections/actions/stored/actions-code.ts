import type { DecoderCode } from '../../../engine/projection/projection.ts';
import type { FedDecoderOptions } from '../../records/fed-decoder.ts';
import { SCHEMAS } from '../../records/schemas.ts';

/** Checks records of finished traces; what they become follows from facts of the store, which no thread of a decoder has. */
export const ACTIONS_CODE: DecoderCode = {
  module: new URL('./actions-decoder.ts', import.meta.url).href,
  buildOptions: ({ network }): FedDecoderOptions => ({ schemas: SCHEMAS, network }),
};
