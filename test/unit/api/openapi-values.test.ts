import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../../src/api/serve-stage.ts';
import { jettonMasterAnswer } from '../../../src/api/v3/answers/tokens/jetton-answers.ts';
import { storelessContext } from '../../helpers/storeless-context.ts';

interface Described {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

describe('the values in the OpenAPI documents', () => {
  let app: Awaited<ReturnType<typeof buildServer>>;
  beforeAll(async () => {
    app = await buildServer(storelessContext());
  });
  afterAll(() => app.close());

  const parametersOf = async (path: string): Promise<ReadonlyMap<string, Described>> => {
    const [, , api] = path.split('/');
    const { paths } = (await app.inject(`/api/${api}/openapi.json`)).json() as {
      readonly paths: Readonly<
        Record<string, { readonly get: { readonly parameters: readonly Described[] } }>
      >;
    };
    return new Map(paths[path]!.get.parameters.map((one) => [one.name, one]));
  };

  it('v3: forms, bounds, and what must be sent', async () => {
    const transactions = await parametersOf('/api/v3/transactions');
    expect(transactions.get('account')!.schema.items).toMatchObject({ format: 'ton-address' });
    expect(transactions.get('hash')!.schema.items).toMatchObject({ format: 'ton-hash' });
    expect(transactions.get('shard')!.schema).toMatchObject({ format: 'ton-shard' });
    expect(transactions.get('limit')!.schema).toMatchObject({ minimum: 1, maximum: 1_000 });
    expect(transactions.get('offset')!.schema).toMatchObject({ minimum: 0 });
    expect([...transactions.values()].filter(({ required }) => required)).toEqual([]);
    const orders = await parametersOf('/api/v3/multisig/orders');
    expect(orders.get('limit')!.schema).toMatchObject({ maximum: 1_024 });
    const book = await parametersOf('/api/v3/addressBook');
    expect(book.get('address')).toMatchObject({ required: true, schema: { minItems: 1 } });
    const shards = await parametersOf('/api/v3/masterchainBlockShards');
    expect(shards.get('seqno')!.required).toBe(true);
    expect(shards.get('limit')!.required).toBe(false);
  });

  it('patterns match no value that is refused', async () => {
    const { schema } = (await parametersOf('/api/v3/transactions')).get('start_lt')!;
    const pattern = new RegExp(String(schema.pattern));
    expect(pattern.test('9'.repeat(19))).toBe(true);
    expect(pattern.test('18446744073709551616')).toBe(false);
    const ofV2 = (await parametersOf('/api/v2/getTransactions')).get('lt')!.schema;
    expect(new RegExp(String(ofV2.pattern)).test('9223372036854775808')).toBe(false);
    const block = await parametersOf('/api/v2/getBlockTransactions');
    expect(block.get('after_hash')!.schema).toMatchObject({ format: 'ton-hash' });
    expect(block.get('shard')!.schema).toMatchObject({ format: 'ton-shard-decimal' });
  });

  it('the content of a master that cannot be read is an empty object', () => {
    const row = { content: '' } as Parameters<typeof jettonMasterAnswer>[0];
    expect(jettonMasterAnswer(row).jetton_content).toEqual({});
  });
});
