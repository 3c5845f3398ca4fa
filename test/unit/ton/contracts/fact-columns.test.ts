import { describe, expect, it } from 'vitest';
import { contractFacts, itemUri } from '../../../../src/ton/contracts/fact-columns.ts';

const NFT = `0:${'2'.repeat(64)}`;
const HEAD = { owner: `0:${'3'.repeat(64)}`, parent: NFT, codeHash: 'aGFzaA==' };

describe('facts that rules for actions ask for', () => {
  it('of a sale and an auction are by whom, on which marketplace, and for how much', () => {
    const details = { marketplace_address: `0:${'1'.repeat(64)}`, full_price: '1000', last_bid: '55' };
    const fact = {
      nft: NFT,
      nftOwner: HEAD.owner,
      marketplace: details.marketplace_address,
      codeHash: HEAD.codeHash,
    };
    expect(contractFacts({ ...HEAD, kind: 'nft_sale', details })).toEqual({
      nftSale: { ...fact, fullPrice: 1_000n },
    });
    expect(contractFacts({ ...HEAD, kind: 'nft_auction', details })).toEqual({
      nftAuction: { ...fact, lastBid: 55n },
    });
  });

  it('of a sale that names no NFT, or no marketplace, are as much as it says', () => {
    expect(contractFacts({ ...HEAD, parent: null, kind: 'nft_sale', details: {} })).toEqual({});
    expect(contractFacts({ ...HEAD, owner: null, kind: 'nft_sale', details: {} }).nftSale).toEqual({
      nft: NFT,
      nftOwner: null,
      marketplace: null,
      fullPrice: null,
      codeHash: HEAD.codeHash,
    });
  });

  it('of an order are its signers', () => {
    const details = { signers: [NFT], threshold: 1 };
    expect(contractFacts({ ...HEAD, kind: 'multisig_order', details })).toEqual({
      multisigOrder: { signers: [NFT] },
    });
  });

  it('of an item are its link with what its collection puts before it', () => {
    expect(itemUri({ content: '{}', link: '7.json', prefix: 'http://items/' })).toBe('http://items/7.json');
    expect(itemUri({ content: '{"uri":"http://a"}', link: 'http://a', prefix: null })).toBe('http://a');
    expect(itemUri({ content: '{"name":"n"}', link: 'x', prefix: null })).toBeNull();
    expect(itemUri({ content: '', link: '', prefix: null })).toBeNull();
  });
});
