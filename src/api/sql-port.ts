/** A named user of the SQL endpoint. */
export interface SqlUser {
  readonly name: string;
  /** SHA-256 of the password, 64 hex digits. Passwords are random, so a slow hash would only cost the server. */
  readonly hash: string;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** Limits failed logins of an address. */
export interface LoginLimit {
  /** Runs a check of a password. Throws its error, or another without a check. */
  check<T>(address: string, login: () => T): T;
}

/** What the SQL endpoint needs: the store as the analyst sees it, and the users who may use it. */
export interface SqlPort {
  /** `http://host:port` of the store. */
  readonly url: string;
  /** Account of the store that statements run as. It reads the views and the metadata, and nothing else. */
  readonly user: string;
  readonly password: string;
  /** Database of statements that name none. */
  readonly lake: string;
  /** Resolves when the views are those of the served versions. Rejects with the reason if they cannot be made. */
  ready(): Promise<void>;
  /** Limit of failed logins by address, for all endpoints. */
  readonly failures: LoginLimit;
  /** Statements of one caller at the same time. */
  readonly statements: number;
  /** Named users by name. */
  users(): ReadonlyMap<string, SqlUser>;
}
