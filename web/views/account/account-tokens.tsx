import type { Answer } from '../../api/request.ts';
import type { Described } from '../../api/types.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { usePages } from '../../api/use-pages.ts';
import { Panel, Table } from '../../parts/layout.tsx';
import { Failure } from '../../parts/notice.tsx';
import { PageList } from '../../parts/page-list.tsx';
import { Address, ChainText, Tokens } from '../../parts/text.tsx';
import { findToken, TokenImage } from '../../parts/token-image.tsx';
import { TokenBadges } from './token-facts.tsx';

/** Jettons, NFTs and names of an account. A part without rows is not shown. */
export function AccountTokens({ address }: { readonly address: string }) {
  return (
    <>
      <Names address={address} />
      <Jettons address={address} />
      <Nfts address={address} />
    </>
  );
}

function Names({ address }: { readonly address: string }) {
  const { answer, error } = useAnswer('/api/v3/dns/records', { wallet: address, limit: 100 });
  if (error) return <Failure error={error} />;
  if (!answer || answer.records.length === 0) return null;
  return (
    <Panel title="Names">
      <Table
        label="Names of the account"
        heads={['Name', 'NFT', 'Owner']}
        rows={answer.records.map((one) => ({
          key: one.nft_item_address,
          cells: [
            <ChainText key="name" text={one.domain} length={120} />,
            <Address key="item" address={one.nft_item_address} />,
            <Address key="owner" address={one.nft_item_owner} names={answer} />,
          ],
        }))}
      />
    </Panel>
  );
}

function Jettons({ address }: { readonly address: string }) {
  const pages = usePages<Answer<'/api/v3/jetton/wallets'>>('/api/v3/jetton/wallets', {
    owner_address: address,
    limit: 50,
  });
  if (!pages.error && !pages.answers[0]?.jetton_wallets.length) return null;
  return (
    <Panel title="Jettons">
      <PageList pages={pages} empty="The account has no jettons.">
        {(answers) => (
          <Table
            label="Jettons of the account"
            heads={['Jetton', '#Balance', 'Wallet']}
            rows={answers.flatMap((answer) =>
              answer.jetton_wallets.map((wallet) => ({
                key: wallet.address,
                cells: [
                  <TokenName key="jetton" address={wallet.jetton} names={answer} />,
                  <Tokens key="balance" value={wallet.balance} jetton={wallet.jetton} names={answer} />,
                  <Address key="wallet" address={wallet.address} names={answer} />,
                ],
              })),
            )}
          />
        )}
      </PageList>
    </Panel>
  );
}

function Nfts({ address }: { readonly address: string }) {
  const pages = usePages<Answer<'/api/v3/nft/items'>>('/api/v3/nft/items', {
    owner_address: address,
    limit: 50,
  });
  if (!pages.error && !pages.answers[0]?.nft_items.length) return null;
  return (
    <Panel title="NFTs">
      <PageList pages={pages} empty="The account has no NFTs.">
        {(answers) => (
          <Table
            label="NFTs of the account"
            heads={['NFT', 'Collection', '#Index']}
            rows={answers.flatMap((answer) =>
              answer.nft_items.map((item) => ({
                key: item.address,
                cells: [
                  <TokenName key="item" address={item.address} names={answer} />,
                  item.collection_address ? (
                    <TokenName key="collection" address={item.collection_address} names={answer} />
                  ) : (
                    '–'
                  ),
                  <ChainText key="index" text={item.index} length={12} />,
                ],
              })),
            )}
          />
        )}
      </PageList>
    </Panel>
  );
}

interface TokenNameProps {
  readonly address: string;
  readonly names: Described;
}

/** A token's own name next to its address: anybody can choose any name. */
function TokenName({ address, names }: TokenNameProps) {
  const token = findToken(names, address);
  return (
    <>
      <TokenImage extra={token?.extra} size="small" />{' '}
      {token?.name && <ChainText text={token.name} length={60} />} <Address address={address} names={names} />
      <TokenBadges token={token} />
    </>
  );
}
