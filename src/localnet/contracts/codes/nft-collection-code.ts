/** Code of nft-collection.tolk, compiled by @ton/tolk-js 1.3.0: a BoC in base64. */
export const NFT_COLLECTION_CODE =
  'te6ccgECCwEAAUkAART/APSkE/S88sgLAQIBYgIDAfjQ+JHyQO1E0PpI0z/U1NTRJdcsIAAAAAyOYjb4kiXHBfLhkQXTPzHTP/oA10xT' +
  'Jbry4ZIFpAbI+lIWyz8TzCHPFBXMye1U+CgByMs/+lLJAdD6SNTRyM+JCAFTNcjPhNDMzPkWzwv/UAT6AoEAjM8LcBTMzBL6UszJcfsA' +
  'BAIBIAUGAIbgbELXLCNJ6cqEji5sEtcLP/iSAtDTD9MP+kjRyM+FCBX6UoIQqMsArc8LjhPLP8sPyw/6UsmAQPsA4FuEDwHHAPL0AgEg' +
  'BwgAIbyC32omh9JGmf6moY6hjorEAAe4tdMYAgEgCQoAM7Xa/aiaH0kGOmfmOoY6hjqaOhph+mH/SRowAFm09H8FHaiaH0kGOmfmOoY6' +
  'moY6IFkZZ/9KWSA5GfCaGZmfItkZ8UAIGX/56hA=';
