import type { Described, TokenInfo } from '../../api/types.ts';
import { toWords } from '../../format/text.ts';
import { Fields, Panel } from '../../parts/layout.tsx';
import { Address, Badge, ChainText } from '../../parts/text.tsx';
import { TokenImage } from '../../parts/token-image.tsx';

/** Metadata of an account that is a token. Other accounts have none. */
export function TokenFacts({ address, names }: { readonly address: string; readonly names: Described }) {
  const tokens = (names.metadata?.[address]?.token_info ?? []) as readonly TokenInfo[];
  return (
    <>
      {tokens.map((token) => (
        <Panel key={token.type} title={toTitle(token.type)} aside={<TokenBadges token={token} />}>
          <TokenImage extra={token.extra} size="medium" />
          <Fields
            rows={[
              token.name && ['Name', <ChainText key="name" text={token.name} length={120} />],
              token.symbol && ['Symbol', <ChainText key="symbol" text={token.symbol} length={40} />],
              token.description && ['Description', <ChainText key="text" text={token.description} />],
              token.nft_index && ['Index', <ChainText key="index" text={token.nft_index} />],
              ...Object.entries(token.extra ?? {})
                .filter(([name]) => !name.startsWith('_image'))
                .map(
                  ([name, value]) =>
                    [toWords(name), <Value key={name} value={value} names={names} />] as const,
                ),
              token.valid === undefined && ['Metadata', 'not fetched'],
            ]}
          />
        </Panel>
      ))}
    </>
  );
}

/** Warnings of the operator about a token. */
export function TokenBadges({ token }: { readonly token: TokenInfo | undefined }) {
  return (
    <>
      {token?.is_scam && <Badge kind="bad">scam</Badge>}
      {token?.is_nsfw && <Badge kind="plain">not safe for work</Badge>}
    </>
  );
}

function toTitle(type: string): string {
  const words = toWords(type).replace('nft', 'NFT').replace(/s$/, '');
  return words[0]?.toUpperCase() + words.slice(1);
}

const ADDRESS = /^-?\d{1,10}:[0-9A-F]{64}$/;

function Value({ value, names }: { readonly value: unknown; readonly names: Described }) {
  if (typeof value === 'string' && ADDRESS.test(value)) return <Address address={value} names={names} />;
  return <ChainText text={typeof value === 'string' ? value : JSON.stringify(value)} length={300} />;
}
