/** The content of an item, from its collection and detection. */
import { expect, it } from 'vitest';
import type { TokenRow } from '../../../../src/api/entities/tokens/model.ts';
import { itemContent, withDomain } from '../../../../src/api/v3/answers/tokens/token-content.ts';

const own = (content: object, more: Partial<TokenRow> = {}) =>
  ({ flag: true, content: JSON.stringify(content), link: 'tail', ...more }) as TokenRow;
const collection = { flag: true, link: 'https://head/' } as TokenRow;

it('is a link that the collection begins, or its own if get methods returned it', () => {
  expect(itemContent(own({ name: 'a' }), collection)).toEqual({ uri: 'https://head/tail' });
  expect(itemContent(own({ name: 'a' }), undefined)).toEqual({ name: 'a' });
  expect(itemContent(own({ name: 'a' }, { isDetected: true }), collection)).toEqual({ name: 'a' });
  expect(itemContent(own({ name: 'a' }, { flag: false }), collection)).toBeNull();
});

it('has a domain only if the item is a name, even if an older outcome has one', () => {
  const content = itemContent(own({ domain: 'foundation.ton' }, { isDetected: true }), collection);
  expect(content).toEqual({});
  expect(withDomain(content, 'alice.ton')).toEqual({ domain: 'alice.ton' });
  expect(itemContent(own({}, { isDetected: true, content: '' }), collection)).toBeNull();
});
