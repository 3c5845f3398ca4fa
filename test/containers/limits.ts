/** Variables of the compose files for machines that cannot raise limits. */
export const LIMITS = { TONHOUSE_NOFILE: '20000' };
