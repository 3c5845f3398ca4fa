import type { DecoderCode } from '../../engine/projection/projection.ts';
import type { FedDecoderOptions } from '../records/fed-decoder.ts';
import { SCHEMAS } from '../records/schemas.ts';

/** Checks records of outcomes. */
export const DETECTIONS_CODE: DecoderCode = {
  module: new URL('./detections-decoder.ts', import.meta.url).href,
  buildOptions: ({ network }): FedDecoderOptions => ({ schemas: SCHEMAS, network }),
};
