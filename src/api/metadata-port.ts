/** Facts that an operator gives of a token, above those of the chain and its links. */
export interface TokenOverride {
  /** Attributes. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly isNsfw: boolean;
  readonly isScam: boolean;
}

/** Facts of tokens from beside the chain, for answers. */
export interface TokenMetadata {
  /** Values of `extra` for the link of a token's image: its addresses at the image proxy; none where there is no proxy. */
  imagesOf(image: string): Readonly<Record<string, string>>;
  /** By raw address. */
  overrideOf(address: string): TokenOverride | undefined;
  /** Links that an answer could tell more of, had they been fetched, or fetched again. Returns at once. */
  wanted(links: readonly string[]): void;
}
