/** Argument of Node by which `npm start` and bin/tonhouse set its heap. */
export const PRODUCT_HEAP = '--max-semi-space-size=64';
