/** First 32 bits of the body of a message that returned because its receiver failed. The rest is the body that was sent. */
export const BOUNCED_OP = 0xffffffff;
