/** Beginning of the names of databases that the reader cannot read: `REVOKE SELECT ON secrets_*.*`. */
export const SECRETS_PREFIX = 'secrets_';
