/** An operator's facts of a token, above those of the chain and its links. */
export interface TokenOverride {
  /** Attributes. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly isNsfw: boolean;
  readonly isScam: boolean;
}

/** Off-chain facts of tokens for answers. */
export interface TokenMetadata {
  /** Values of `extra` for the link of a token's image: its addresses at the image proxy; none without a proxy. */
  getImages(image: string): Readonly<Record<string, string>>;
  /** Beginning of the addresses of images that the page may load; null: it shows none. */
  readonly imageBase: string | null;
  /** By raw address. */
  findOverride(address: string): TokenOverride | undefined;
  /** Links whose content would add to an answer, if fetched, or fetched again. Returns at once. */
  wanted(links: readonly string[]): void;
}
