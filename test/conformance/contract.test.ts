import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpError } from '../../src/api/http/errors/http-error.ts';
import { readQueryString } from '../../src/api/http/query-string.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import { JettonWalletSchema } from '../../src/api/v3/answers/tokens/jetton-wallet.ts';
import type { Endpoint } from '../../src/api/v3/endpoint.ts';
import { multisigPage } from '../../src/api/v3/parameters/custody-page.ts';
import { toPage } from '../../src/api/v3/parameters/paging.ts';
import { readParameters } from '../../src/api/v3/parameters/read-parameters.ts';
import { ENDPOINTS } from '../../src/api/v3/routes/endpoints.ts';
import { DnsRecordSchema } from '../../src/api/v3/routes/tokens/dns-records.ts';
import {
  AccountStateSchema,
  RankedAccountsSchema,
  WalletStateSchema,
} from '../../src/api/v3/schemas/account.ts';
import { ActionSchema } from '../../src/api/v3/schemas/action.ts';
import {
  AddressBookRowSchema,
  MetadataSchema,
  TokenInfoSchema,
} from '../../src/api/v3/schemas/address-book.ts';
import { BalanceChangesSchema } from '../../src/api/v3/schemas/balance-changes.ts';
import { BlockSchema } from '../../src/api/v3/schemas/block.ts';
import {
  AddressInformationSchema,
  EstimateFeeSchema,
  RunGetMethodSchema,
  SentMessageSchema,
  WalletInformationSchema,
} from '../../src/api/v3/schemas/chain.ts';
import { BlockId } from '../../src/api/v3/schemas/common.ts';
import {
  MultisigOrderSchema,
  MultisigSchema,
  OrderActionSchema,
  VestingSchema,
} from '../../src/api/v3/schemas/custody.ts';
import { DescriptionSchema } from '../../src/api/v3/schemas/description.ts';
import {
  JettonBurnSchema,
  JettonMasterSchema,
  JettonTransferSchema,
} from '../../src/api/v3/schemas/jetton.ts';
import { MessageContentSchema, MessageSchema } from '../../src/api/v3/schemas/message.ts';
import {
  NftCollectionSchema,
  NftItemSchema,
  NftSaleSchema,
  NftTransferSchema,
} from '../../src/api/v3/schemas/nft.ts';
import { TraceNodeSchema, TraceSchema } from '../../src/api/v3/schemas/trace.ts';
import { TransactionSchema, TransactionStateSchema } from '../../src/api/v3/schemas/transaction.ts';
import { formatFriendly } from '../../src/ton/address/address.ts';
import { ADDRESS_BOOKS } from '../helpers/address-books.ts';
import { DEFAULT_SERVE_SETTINGS } from '../helpers/serve-settings.ts';
import { storelessContext } from '../helpers/storeless-context.ts';
import { proseFields, wrapperKeys } from './contract-prose.ts';
import {
  type ContractEndpoint,
  type ContractField,
  type ContractMethod,
  contractEndpoints,
  contractFields,
  contractMethods,
  contractText,
  mostRows,
  mostValues,
  type ValueType,
} from './contract-tables.ts';

/*
 * Compares the contract's tables with the product: each parameter with values on both sides of its bounds, each field
 * of the models with its type and whether it may be null or absent, each method of v2 three ways.
 */

const HEX = 'a1'.repeat(32);
const HASH_BYTES = Buffer.from(HEX, 'hex');
const friendly = (testOnly: boolean) => formatFriendly(0, HASH_BYTES, { bounceable: true, testOnly });
const WRONG_SUM = friendly(false).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));

/** Spellings that mean the same, and texts that are none of the type. */
const VALUES: Readonly<
  Record<ValueType, { readonly same: readonly (readonly string[])[]; readonly wrong: readonly string[] }>
> = {
  addr: {
    same: [[`0:${HEX}`, `0:${HEX.toUpperCase()}`, friendly(false), friendly(true)], [`-1:${HEX}`]],
    wrong: ['x', `0:${HEX.slice(1)}`, `0:${HEX}0`, WRONG_SUM, 'null', `999999999999:${HEX}`],
  },
  'addr|null': {
    same: [[`0:${HEX}`, friendly(false)], ['null']],
    wrong: ['x', 'none', `0:${HEX.slice(1)}`, WRONG_SUM],
  },
  hash: {
    same: [
      [
        HEX,
        HEX.toUpperCase(),
        `0x${HEX}`,
        HASH_BYTES.toString('base64'),
        `${HASH_BYTES.toString('base64url')}=`,
      ],
    ],
    wrong: ['x', HEX.slice(1), `${HEX}0`, `0x${HEX.slice(2)}`, HASH_BYTES.toString('base64').slice(0, 42)],
  },
  shard: {
    same: [
      ['8000000000000000', '0x8000000000000000', '-9223372036854775808'],
      ['1'],
      ['ffffffffffffffff', '-1'],
    ],
    wrong: ['x', '9223372036854775808', '-9223372036854775809', '0x', ''],
  },
  opcode: {
    same: [
      ['0x0f8a7ea5', 'f8a7ea5'],
      ['0xffffffff', '-1'],
      ['10', '0x10'],
      ['-2147483648', '0x80000000'],
    ],
    wrong: ['x', '0x123456789', '-2147483649', ''],
  },
  utime: { same: [['5', '5.9'], ['0', ''], ['4294967295']], wrong: ['x', '-1', '1e3'] },
  lt: {
    same: [['18446744073709551615'], ['0', ''], ['5']],
    wrong: ['x', '18446744073709551616', '-1', '1.5'],
  },
  i32: {
    same: [['2147483647'], ['-2147483648'], ['0', '']],
    wrong: ['x', '2147483648', '-2147483649', '1.5', '0x1'],
  },
  bool: {
    same: [
      ['1', 't', 'T', 'TRUE', 'true', 'True', 'on'],
      ['0', 'f', 'F', 'FALSE', 'false', 'False'],
    ],
    wrong: ['x', '2', 'yes'],
  },
  str: { same: [['x'], ['-1']], wrong: [] },
};

/** Differences from the contract, with the reason. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  '/balanceChanges action_id': 'an id is a hash: any other text is refused, where the contract takes a text',
  'AccountState.data_boc': 'always left out in lists of transactions (v3-models.md 5)',
  'AccountState.code_boc': 'always left out in lists of transactions (v3-models.md 5)',
  'Action.trace_external_hash_norm': 'not stored; may be left out',
  'TraceNode.children': 'null where its messages reached nobody, as the next sentence says',
};

/** The contract's own rules accept anything as a number here (v3-endpoints.md 2.2). */
const isLoose = (rule: string) => rule.includes('counts as 0');

const MODELS: Readonly<Record<string, TSchema>> = {
  AddressBookRow: AddressBookRowSchema,
  TokenInfo: TokenInfoSchema,
  Transaction: TransactionSchema,
  Description: DescriptionSchema,
  AccountState: TransactionStateSchema,
  Message: MessageSchema,
  Trace: TraceSchema,
  Action: ActionSchema,
  AccountStateFull: AccountStateSchema,
  WalletState: WalletStateSchema,
  JettonTransfer: JettonTransferSchema,
  NFTItem: NftItemSchema,
  MultisigOrder: MultisigOrderSchema,
  OrderAction: OrderActionSchema,
  AddressMetadata: valuesOf(MetadataSchema),
  Block: BlockSchema,
  BlockId,
  MessageContent: MessageContentSchema,
  TraceNode: TraceNodeSchema,
  AccountBalance: itemsOf(RankedAccountsSchema),
  JettonMaster: JettonMasterSchema,
  JettonWallet: JettonWalletSchema,
  JettonBurn: JettonBurnSchema,
  NFTCollection: NftCollectionSchema,
  NFTTransfer: NftTransferSchema,
  NFTSale: NftSaleSchema,
  DNSRecord: DnsRecordSchema,
  Vesting: VestingSchema,
  Multisig: MultisigSchema,
  V2AddressInformation: AddressInformationSchema,
  V2WalletInformation: WalletInformationSchema,
  SentMessage: SentMessageSchema,
  EstimatedFees: EstimateFeeSchema,
  Fee: EstimateFeeSchema.properties.source_fees,
  RunGetMethod: RunGetMethodSchema,
  BalanceChanges: BalanceChangesSchema,
  storage_ph: DescriptionSchema.properties.storage_ph,
  credit_ph: DescriptionSchema.properties.credit_ph,
  compute_ph: DescriptionSchema.properties.compute_ph,
  action: DescriptionSchema.properties.action,
  bounce: DescriptionSchema.properties.bounce,
  split_info: DescriptionSchema.properties.split_info,
  trace_info: TraceSchema.properties.trace_info,
};

function itemsOf(schema: TSchema): TSchema {
  return (schema as unknown as { readonly items: TSchema }).items;
}

function valuesOf(schema: TSchema): TSchema {
  const { patternProperties, additionalProperties } = schema as unknown as {
    readonly patternProperties?: Readonly<Record<string, TSchema>>;
    readonly additionalProperties?: TSchema;
  };
  return additionalProperties ?? Object.values(patternProperties!)[0]!;
}

describe('the tables of the contract', () => {
  let count = 0;
  const check = <T>(found: T, wanted: T, what: string) => {
    count++;
    expect({ what, found }).toEqual({ what, found: wanted });
  };
  afterAll(() => console.log(`contract: ${count} facts checked`));

  const endpoints = contractEndpoints();
  const served = new Map(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint]));

  it('are read whole', () => {
    expect(endpoints.length).toBeGreaterThan(30);
    expect(endpoints.flatMap(({ parameters }) => parameters).length).toBeGreaterThan(120);
    expect(contractFields().length).toBeGreaterThan(150);
    expect(contractMethods().length).toBeGreaterThan(30);
  });

  /** The value that a text is read as; `refused` if the answer is a 422 that names the parameter. */
  const reading = ({ parameters }: Endpoint, name: string, texts: readonly string[]): unknown => {
    const query = texts.map((text) => `${name}=${encodeURIComponent(text)}`).join('&');
    const own = {
      [name]: Object.entries(parameters).find(([one, { aliases = [] }]) =>
        [one, ...aliases].includes(name),
      )![1],
    };
    try {
      return Object.values(readParameters(own, readQueryString(`/?${query}`)))[0];
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const isNamed = error.status === 422 && error.message.includes(`"${name}"`);
      return isNamed ? 'refused' : `${error.status} ${error.message}`;
    }
  };

  const parameters = endpoints
    .flatMap((endpoint) => endpoint.parameters)
    .filter(({ path, name }) => !(`${path} ${name}` in DIFFERENCES));
  it.each(parameters.map((one) => [one.path, one.name, one] as const))(
    'parameter of %s: %s',
    (path, name, { type, isList, rule }) => {
      const endpoint = served.get(path)!;
      const names = Object.entries(endpoint.parameters).flatMap(([one, { aliases = [] }]) => [
        one,
        ...aliases,
      ]);
      check(names.includes(name), true, `${path} knows ${name}`);
      const { same, wrong } = VALUES[type];
      for (const spellings of same) {
        const [first, ...others] = spellings.map((text) => reading(endpoint, name, [text]));
        check(first === 'refused', false, `${path} takes ${name}=${spellings[0]}`);
        for (const other of others) check(other, first, `${path} ${name}: one of ${spellings}`);
      }
      for (const text of isLoose(rule) ? [] : wrong)
        check(reading(endpoint, name, [text]), 'refused', `${path} refuses ${name}=${text}`);
      if (isList) checkLength(endpoint, name, same[0]![0]!);
      if (type === 'str') {
        // Beyond the contract: published clients join these by commas.
        const isCut = /_types?$/.test(name) || path === '/addressBook';
        if (isList)
          check(reading(endpoint, name, ['a,,b']), isCut ? ['a', 'b'] : ['a,,b'], `${path} ${name}: commas`);
        return;
      }
      const [one, two] = [same[0]![0]!, same.at(-1)!.at(-1)!];
      const both = reading(endpoint, name, [one, two]);
      if (isList) {
        check((both as unknown[]).length, 2, `${path} takes several ${name}`);
        check(reading(endpoint, name, [`${one},,${two}`]), both, `${path} ${name}: commas`);
        check(reading(endpoint, name, ['']), [], `${path} ${name}: nothing`);
      } else check(both, reading(endpoint, name, [two]), `${path} ${name}: the last one wins`);
    },
  );

  /** As many values as the list may have, and one more (errors-and-limits.md 5.1). */
  const checkLength = (endpoint: Endpoint, name: string, value: string) => {
    const most = mostValues(endpoint.path);
    const values = Array.from({ length: most }, () => value);
    const full = reading(endpoint, name, values) as readonly unknown[];
    check(full.length, most, `${endpoint.path} takes ${most} of ${name}`);
    const refused = expect.stringMatching(new RegExp(`^422 .*maximum (length of )?${most}\\b`));
    check(reading(endpoint, name, [...values, value]), refused, `${endpoint.path} refuses more of ${name}`);
  };

  it.each(endpoints.flatMap((endpoint) => endpoint.paths.map((path) => [path, endpoint] as const)))(
    'paging of %s',
    (path, { groups }: ContractEndpoint) => {
      const { parameters } = served.get(path)!;
      const page = (query: string, pager: typeof toPage | typeof multisigPage = toPage) => {
        const values = readParameters(parameters, readQueryString(`/?${query}`)) as unknown as Parameters<
          typeof toPage
        >[0];
        try {
          return pager(values, DEFAULT_SERVE_SETTINGS);
        } catch (error) {
          if (error instanceof HttpError) return `${error.status} ${error.message}`;
          throw error;
        }
      };
      if (groups.has('P')) {
        const most = mostRows(path);
        const pager = most === 1_024 ? multisigPage : toPage;
        for (const [query, limit] of [
          ['limit=1', 1],
          ['limit=0', 1],
          ['limit=-5', 1],
          ['limit=', 1],
          [`limit=${most}`, most],
        ] as const)
          check(page(query, pager), expect.objectContaining({ limit, offset: 0 }), `${path} ${query}`);
        check(
          page(`limit=${most + 1}`, pager),
          `422 limit is not allowed: ${most + 1} > ${most}`,
          `${path} above the maximum`,
        );
        for (const [query, offset] of [
          ['offset=-1', 0],
          ['offset=0', 0],
          ['offset=7', 7],
        ] as const)
          check(page(query, pager), expect.objectContaining({ offset }), `${path} ${query}`);
      }
      if (!groups.has('S') || !('sort' in parameters)) return;
      for (const [sort, descending] of [
        ['asc', false],
        ['ASC', false],
        ['a', false],
        ['desc', true],
        ['D', true],
      ] as const)
        check(page(`sort=${sort}`), expect.objectContaining({ descending }), `${path} sort=${sort}`);
      for (const sort of ['', 'up'])
        check(page(`sort=${sort}`), '422 wrong value for sort parameter', `${path} sort=${sort}`);
    },
  );

  it.each(Object.entries(MODELS))('fields of %s', (model, schema) => {
    const named = [...contractFields(), ...proseFields()]
      .filter((field) => field.model === model && !(`${model}.${field.name}` in DIFFERENCES))
      .map((field) => [field.name, field] as const);
    const fields = [...new Map(named).values()];
    expect(fields.length).toBeGreaterThan(1);
    for (const field of fields) check(shapeOf(schema, field), shapeIn(field), `${model}.${field.name}`);
  });

  it.each(wrapperKeys())('keys of the answer of %s', (path, keys) => {
    const { answer } = served.get(path)!;
    for (const name of keys) {
      const field = { model: path, name, type: '', presence: 'always' } as const;
      check(shapeOf(answer, field)?.presence, 'always', `${path} answers ${name}`);
    }
  });

  it('are read whole where they are sentences', () => {
    expect(new Set(proseFields().map(({ model }) => model)).size).toBe(28);
    expect(proseFields().length).toBeGreaterThan(190);
    expect(wrapperKeys().length).toBe(30);
    expect(wrapperKeys().find(([path]) => path === '/events')).toEqual([
      '/events',
      ['events', 'address_book', 'metadata'],
    ]);
  });

  it('every address book has a rule', () => {
    const section = contractText('v3-rules.md')
      .split(/^## 9\. /m)[1]!
      .split(/^---/m)[0]!;
    const rows = [...section.matchAll(/^\| ([\w/, ]+) \|/gm)].map(([, names]) => names!).slice(1);
    expect(rows).toHaveLength(16);
    for (const name of rows.flatMap((names) => names.split(', '))) check(name in ADDRESS_BOOKS, true, name);
    // And an answer of a running server that the rule is held against.
    const folder = resolve(import.meta.dirname, '../e2e');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .filter((text) => text.includes('booked('));
    for (const name of Object.keys(ADDRESS_BOOKS)) {
      const isAsked = (text: string) => text.includes(`booked('${name}'`) || text.includes(`['${name}', `);
      check(sources.some(isAsked), true, `the address book of ${name} is looked at`);
    }
  });

  describe('of v2', () => {
    let app: Awaited<ReturnType<typeof buildServer>>;
    beforeAll(async () => {
      app = await buildServer(storelessContext());
    });
    afterAll(() => app.close());

    const ways = (method: ContractMethod) => [
      ...(method.isPostOnly
        ? []
        : [
            (input: Input) =>
              app.inject({
                url: `/api/v2/${method.name}?${new URLSearchParams(input as Record<string, string>)}`,
              }),
          ]),
      (input: Input) => app.inject({ method: 'POST', url: `/api/v2/${method.name}`, payload: input }),
      ...['/api/v2/jsonRPC', '/api/v2'].map(
        (url) => (params: Input) =>
          app.inject({
            method: 'POST',
            url,
            payload: { id: '1', jsonrpc: '2.0', method: method.name, params },
          }),
      ),
    ];

    it.each(contractMethods().map((method) => [method.name, method] as const))(
      'method %s',
      async (name, method) => {
        for (const [way, ask] of ways(method).entries()) {
          const base = Object.fromEntries(method.required.map((one) => [one, sample(one)]));
          const status = async (input: Input) => {
            const reply = await ask(input);
            const body = reply.json() as { ok?: boolean; code?: number; error?: string };
            if (reply.statusCode === 422)
              check(
                body,
                expect.objectContaining({ ok: false, code: 422, error: expect.stringMatching(/./) }),
                `${name} envelope`,
              );
            return reply.statusCode;
          };
          const [either] = method.oneOf;
          const whole: Input = either === undefined ? base : { ...base, [either]: '1' };
          const plain = await status(whole);
          check([404, 405, 422].includes(plain), false, `${name} is served, way ${way}: ${plain}`);
          for (const one of method.required) {
            const { [one]: _, ...rest } = whole;
            check(await status(rest), 422, `${name} without ${one}, way ${way}`);
          }
          for (const { parameter, inside, outside } of method.bounds) {
            const others = {
              ...(method.oneOf.includes(parameter) ? base : whole),
              ...method.partners[parameter],
            };
            for (const value of inside)
              check(
                (await status({ ...others, [parameter]: value })) === 422,
                false,
                `${name} ${parameter}=${value}, way ${way}`,
              );
            for (const value of outside)
              check(
                await status({ ...others, [parameter]: value }),
                422,
                `${name} ${parameter}=${value}, way ${way}`,
              );
          }
        }
      },
    );
  });
});

type Input = Record<string, unknown>;

/** A value that a required parameter of v2 takes. */
function sample(name: string): unknown {
  if (name === 'address' || name === 'source' || name === 'destination') return `0:${HEX}`;
  if (name === 'shard') return '-9223372036854775808';
  if (name === 'hash') return HEX;
  if (name === 'boc' || name === 'body') return 'te6cckEBAQEAAgAAAEysuc0=';
  if (name === 'method') return 'seqno';
  if (name === 'stack') return [];
  return name === 'workchain' ? '0' : '1';
}

interface Shape {
  readonly type: string;
  readonly presence: string;
}

/** How the contract has a field. */
function shapeIn({ type, presence }: ContractField): Shape {
  return { type: contractType(type.replaceAll(/[*`]/g, '')), presence };
}

function contractType(type: string): string {
  if (type.startsWith('array')) return 'array';
  if (type.startsWith('bool')) return 'boolean';
  if (type.startsWith('number')) return 'number';
  return /^(string|hash|hex|address|base64)/.test(type) ? 'string' : 'object';
}

/** How a schema has a field. */
function shapeOf(schema: TSchema, { name }: ContractField): Shape | null {
  const { properties = {}, required = [] } = schema as unknown as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  const property = properties[name];
  if (!property) return null;
  const variants = property.anyOf ?? [property];
  const isNullable = variants.some(({ type }) => type === 'null');
  const [plain] = variants.filter(({ type }) => type !== 'null');
  const type = plain?.type === 'integer' ? 'number' : (plain?.type ?? 'object');
  return { type, presence: !required.includes(name) ? 'opt' : isNullable ? 'null' : 'always' };
}

interface Json {
  readonly type?: string;
  readonly anyOf?: readonly Json[];
}
