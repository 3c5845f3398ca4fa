import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Described, TokenInfo } from '../api/types.ts';
import { toImageAddress } from '../format/image.ts';

/** Beginning of the addresses of images that the page may load (`images` of `/healthz`); null: it shows none. */
export const ImageBase = createContext<string | null>(null);

/** Sides of the images, pixels. */
const SIDES = { small: 24, medium: 160 } as const;

/** The first token that an account is. */
export function findToken({ metadata }: Described, address: string): TokenInfo | undefined {
  return metadata?.[address]?.token_info[0] as TokenInfo | undefined;
}

export interface TokenImageProps {
  /** `extra` of the token's metadata. */
  readonly extra: Readonly<Record<string, unknown>> | undefined;
  readonly size: keyof typeof SIDES;
}

/** Image of a token from the image proxy, if the server has one. One that does not load is left out. */
export function TokenImage({ extra, size }: TokenImageProps) {
  const src = toImageAddress(extra?.[`_image_${size}`], useContext(ImageBase));
  const [broken, setBroken] = useState<string | null>(null);
  if (src === null || src === broken) return null;
  return (
    <img
      class="token"
      src={src}
      alt=""
      width={SIDES[size]}
      height={SIDES[size]}
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      onError={() => setBroken(src)}
    />
  );
}
