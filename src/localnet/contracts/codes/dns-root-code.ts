/** Code of dns-root.tolk, compiled by @ton/tolk-js 1.3.0: a BoC in base64. */
export const DNS_ROOT_CODE =
  'te6ccgEBBAEAkAABFP8A9KQT9LzyyAsBAgFiAgMADNAw+JHyQADnocYYYKYBrpOEDzBBrhYPgAGGASLhxSemDmO8A66SQ66TQkOuk4AB' +
  'JGLbwELhHCJDrpOEDzBDrhYPhgGGASLhxS4Dpg5iA0wR0GOGMSRi/zgDrhYvBBDo3t17hgHFJmDg28HaiaH0kaIDTDGRnxXUnCX0pZM=';
