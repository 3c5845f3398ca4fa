/** Argument of Node by which `npm start` and bin/tonhouse set its heap. */
export const PRODUCT_HEAP = '--max-semi-space-size=64';

/** Variables by which they set the C library's memory. */
export const PRODUCT_BUFFERS = { MALLOC_MMAP_THRESHOLD_: '262144' } as const;
