import type { TokenState } from '../../../ton/contracts/token-state.ts';
import { readTokenContent, type TokenContent } from '../../../ton/contracts/tokens/token-content.ts';
import { sameBytes } from '../../../ton/decode/same-bytes.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import { NotHeldError } from '../../http/errors/http-error.ts';
import type { ReadScope } from '../../query/scope.ts';
import { type KnownToken, readKnownToken } from './known-token.ts';
import type { TokenData } from './token-facts.ts';
import { NotThisTokenError } from './token-stack.ts';

/** A wallet or an item, and its master or collection. */
interface Child {
  readonly token: TokenState;
  readonly parent: AccountAddress;
}

/** Reads contracts of one block, and asks parents by their get methods. */
export interface KnownReader {
  readonly scope: ReadScope;
  readonly mcSeqno: number;
  /** @throws NotThisTokenError the parent does not know the child; NotHeldError it cannot be asked */
  confirm(child: Child): Promise<true>;
  /** `content`: the item's own content, a bag. @throws NotThisTokenError, NotHeldError the collection cannot be asked */
  itemContent(item: Child & { readonly content: Uint8Array }): Promise<TokenContent>;
}

/**
 * Reads an account as its data cell describes it, as v3 does; null if its code has no known layout. Its master or collection must
 * know it.
 * @throws NotHeldError a part of the answer is not in the index
 */
export async function readKnownTokenData(
  reader: KnownReader,
  address: AccountAddress,
): Promise<TokenData | null> {
  const known = await readKnownToken(reader.scope, address, reader.mcSeqno);
  if (known === null) return null;
  if (known === 'none') throw new NotThisTokenError('the code of a token', 'another');
  const { token } = known;
  const { kind, amount, flag, owner, parent } = token;
  switch (kind) {
    case 'jetton_master':
      return {
        ...{ kind, totalSupply: amount, mintable: flag, admin: owner },
        content: readContent(known),
        walletCode: known.cell(token.childCode),
      };
    case 'nft_collection':
      return { kind, nextIndex: amount, owner, content: readContent(known) };
    case 'jetton_wallet': {
      if (!owner || !parent) return null;
      const walletCode = known.cell(token.childCode);
      await confirmed(reader, known, parent);
      return { kind, balance: amount, owner, master: parent, walletCode, isClaimed: null };
    }
    case 'nft_item': {
      // The records of a name are not in its content.
      if (known.isName) return null;
      if (parent) await confirmed(reader, known, parent);
      const content = parent ? await itemContent(reader, known, parent) : readContent(known);
      return { kind, isInit: flag, index: amount, collection: parent, owner, content };
    }
  }
}

/** Lets the parent confirm its child: by the code that its own data names, or by its get method. */
function confirmed(reader: KnownReader, child: KnownToken, parent: AccountAddress): Promise<true> {
  return byLayout(
    async () => {
      const known = await readKnownToken(reader.scope, parent, reader.mcSeqno);
      if (known === null) return null;
      if (known === 'none' || !sameBytes(known.token.childCode, child.token.childCode))
        throw new NotThisTokenError('a parent that names its code', 'another code');
      return true as const;
    },
    () => reader.confirm({ token: child.token, parent }),
  );
}

function itemContent(reader: KnownReader, item: KnownToken, parent: AccountAddress): Promise<TokenContent> {
  return byLayout(
    async () => {
      const collection = await readKnownToken(reader.scope, parent, reader.mcSeqno);
      if (collection === null || collection === 'none') return null;
      const { flag: isPrefix, link } = collection.token;
      return isPrefix ? { type: 'offchain', data: `${link}${item.token.link}` } : readContent(item);
    },
    () => reader.itemContent({ token: item.token, parent, content: ownContent(item) }),
  );
}

/** The answer of a layout, else that of the TVM. @throws NotHeldError neither has one */
async function byLayout<T>(read: () => Promise<T | null>, run: () => Promise<T>): Promise<T> {
  const found = await read().catch((error: unknown) => {
    if (error instanceof NotHeldError) return null;
    throw error;
  });
  return found ?? run();
}

/** The bag of the content cell. @throws NotHeldError the index lacks it */
function ownContent({ token, cell }: KnownToken): Uint8Array {
  if (!token.content) throw new NotThisTokenError('content', 'none');
  return cell(token.content.hash);
}

function readContent(known: KnownToken): TokenContent {
  const content = readTokenContent(ownContent(known));
  if (!content) throw new NotThisTokenError('content as TEP-64 has it', 'another cell');
  return content;
}
