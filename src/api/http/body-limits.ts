/** Bytes of a body that may carry a bag of cells or a stack: three external messages of the largest size, in base64. */
export const CELLS_BODY_BYTES = 256 * 1024;

/** Bytes of any other body: some numbers, addresses and hashes. */
export const PLAIN_BODY_BYTES = 16 * 1024;
