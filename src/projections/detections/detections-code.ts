import { fileURLToPath } from 'node:url';
import type { DecoderCode } from '../../engine/projection/projection.ts';
import type { DetectionsDecoderOptions } from './detections-decoder.ts';

/** Folder of the schemas. */
export const SCHEMAS: string = fileURLToPath(new URL('../../../schemas/', import.meta.url));

/** Checks records of outcomes. */
export const DETECTIONS_CODE: DecoderCode = {
  module: new URL('./detections-decoder.ts', import.meta.url).href,
  buildOptions: ({ network }): DetectionsDecoderOptions => ({ schemas: SCHEMAS, network }),
};
