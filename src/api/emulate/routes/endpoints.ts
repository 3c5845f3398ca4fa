import type { EmulateEndpoint } from '../emulate-endpoint.ts';
import { emulateTonConnect } from './emulate-ton-connect.ts';
import { emulateTrace } from './emulate-trace.ts';

/** The routes of the emulation API. */
export const EMULATE_ENDPOINTS: readonly EmulateEndpoint[] = [emulateTrace, emulateTonConnect];
