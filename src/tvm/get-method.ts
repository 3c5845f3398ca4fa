/** A get method to run; BoCs in base64. */
export interface GetMethodRequest {
  readonly code: string;
  readonly data: string;
  /** As `methodId` gives it, or the number itself. */
  readonly methodId: number;
  /** `VmStack` of the arguments. */
  readonly stack: string;
  /** The dictionary of configuration parameters. A large one costs 3 ms a call: it is read every time. */
  readonly config: string;
  /** `workchain:hex`. */
  readonly address: string;
  readonly now: number;
  readonly balance: bigint;
  readonly gasLimit: bigint;
  readonly randomSeed: Uint8Array;
  /** `HashmapE 256 ^Cell` root of public libraries; null for none. */
  readonly libraries: string | null;
  /** As `encodePrevBlocks` gives it; null for none. */
  readonly prevBlocks: string | null;
}

/** Result of a get method. */
export interface GetMethodResult {
  /** `VmStack` as a BoC in base64. */
  readonly stack: string;
  readonly gasUsed: bigint;
  readonly exitCode: number;
  /** Hash of a library that the code needed and that was not given, hex. */
  readonly missingLibrary: string | null;
}

/** The request as the emulator takes it. */
export function getMethodParameters(request: GetMethodRequest): Record<string, unknown> {
  return {
    code: request.code,
    data: request.data,
    verbosity: 0,
    libs: request.libraries ?? '',
    address: request.address,
    unixtime: request.now,
    balance: request.balance.toString(),
    rand_seed: request.randomSeed.toHex(),
    gas_limit: request.gasLimit.toString(),
    method_id: request.methodId,
    debug_enabled: false,
    ...(request.prevBlocks && { prev_blocks_info: request.prevBlocks }),
  };
}
