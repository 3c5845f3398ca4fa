/*
 * Values of the examples in the OpenAPI documents, from the default local chain of a server without a source, so that
 * requests of the pages find something. On another network they are valid and find nothing.
 */

/** The wallet v4r2 that the chain's TON begin in. */
export const FAUCET = '0QCTOIlQzUhdtLM7yQG-fkrpB1kw3MMRh8m8pu8vkF0qk8mc';
/** A wallet v4r2 that has sent nothing yet. */
export const WALLET = '0QAUL9Ha4ztID2Oc1DQaxVUs5lXfh-kIhg2Y9T0EXWN4km2S';
export const JETTON = 'kQAPxup7AK2qOtr5Ih3xsA-oS46w0qUxIcNzg1uC5-wvNydb';
export const NFT_COLLECTION = 'kQD-bl0dOuUB4mxXbP3vxwYNgV0GPSGRY3hP-UspU-z8GHZa';
export const DNS_ROOT = 'kf8gBWFUJ3kNlATVhdq6iYPs8nxRSgiBXUVlcJHoxEZhAqxc';
export const MULTISIG = 'kQDXsFojLgIBnRpmQtHwk6JWPC2G2q8jj8rD_tHRVctnIBDj';
/** The elector, which every network has at this address. */
export const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333';
/** A hash that nothing has. */
export const NO_HASH = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
export const MASTERCHAIN_SHARD = '-9223372036854775808';
/** The text comment `an example`. */
export const COMMENT_BODY = 'te6cckEBAQEAEAAAHAAAAABhbiBleGFtcGxlvXNthw==';
/** Body that the wallet signs to send 0.1 TON to the faucet as its first transfer; it never expires. */
export const WALLET_BODY =
  'te6cckEBAgEAlQABnGI3vkogi4KgMHhWRft0RcPo6Lc5DBulMApCo/pYii7U6dnHVqhRbrdXgi2lewsmdYn0vmnU5HCMMyEfoLhxZgwpqaMX/////wAAAAAAAwEAhEIASZxEqGakLtpZneSA3z8ldIOsmG5hiMPk3lN3l8gulUmgL68IAAAAAAAAAAAAAAAAAAAAAAAAYW4gZXhhbXBsZYy+GNU=';
/** The external message with it. */
export const WALLET_MESSAGE =
  'te6cckEBAgEAuAAB4YgAKF+jtcZ2kB7HOahoNYqqWcyrvw/SEQwbMep6CLrG8SQDEb3yUQRcFQGDwrIv26IuH0dFuchg3SmAUhUf0sRRdqdOzjq1Qot1urwRbSvYWTOsT6XzTqcjhGGZCP0Fw4swYU1NGL/////4AAAAAAAcAQCEQgBJnESoZqQu2lmd5IDfPyV0g6yYbmGIw+TeU3eXyC6VSaAvrwgAAAAAAAAAAAAAAAAAAAAAAABhbiBleGFtcGxlVwt/MA==';

/** The parameters or the body of an example request. */
export type Example = Readonly<Record<string, unknown>>;

/** A body's schema with an example of the whole body. */
export function withBodyExample<S extends object>(schema: S, example: Example | undefined): S {
  return example === undefined ? schema : { ...schema, examples: [example] };
}

/** A query's schema with the values of an example at their parameters, and nothing at the others. */
export function withExamples<S extends { readonly properties?: unknown }>(schema: S, example: Example): S {
  const properties = schema.properties as Readonly<Record<string, object>> | undefined;
  const shown = Object.entries(properties ?? {}).map(([name, one]) => [
    name,
    name in example ? { ...one, examples: [example[name]] } : one,
  ]);
  return { ...schema, properties: Object.fromEntries(shown) };
}
