import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readQuestions } from '../../scripts/questions/read-questions.ts';
import { type SqlAnswer, toSqlUrl } from '../../web/views/questions/sql.ts';
import { RANKINGS } from '../../web/views/rankings/statements.ts';
import { IMAGE_FLOWS } from './image-flows.ts';
import type { Flow, FlowContext } from './run-flow.ts';
import { HOSTILE, WALLET } from './world.ts';

const ELECTOR = `-1:${'3'.repeat(64)}`;
const NEVER_SEEN = `0:${'7'.repeat(64)}`;
/** A BoC in base64. */
const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0=';
const UNKNOWN_HASH = 'ab'.repeat(32);
/** A trace with some transactions, of a swap. */
const SWAP = '/api/v3/actions?action_type=jetton_swap&limit=1';
const SUCCEEDED = '/api/v3/transactions?workchain=0&limit=100';

const QUESTIONS = readQuestions();
const RANKING_TITLES = ['Accounts with the most TON', ...RANKINGS.map(({ title }) => title)];

/** Tables that rankings read. */
const RANKED_TABLES = ['jetton_holders_daily', 'nft_items_latest_state', 'dex_volume_daily'];

interface Swap {
  readonly actions: readonly { readonly trace_id: string; readonly transactions: readonly string[] }[];
}
interface Found {
  readonly transactions: readonly {
    readonly hash: string;
    readonly account: string;
    readonly block_ref: { readonly workchain: number; readonly shard: string; readonly seqno: number };
    readonly in_msg: { readonly hash: string; readonly source: string | null } | null;
  }[];
}

/** A transaction that a message of another account started. */
const findTransaction = ({ world }: FlowContext) =>
  world.find(SUCCEEDED, (answer: Found) => answer.transactions.find(({ in_msg }) => in_msg?.source));
const findSwap = ({ world }: FlowContext) => world.find(SWAP, (answer: Swap) => answer.actions[0]);

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search' }).fill(text);
  await page.keyboard.press('Enter');
}

async function expectSearch({ page }: FlowContext, text: string, title: RegExp): Promise<void> {
  await search(page, text);
  // The page before may have the same title.
  await page.waitForURL(({ href }) => !href.includes('#/search/'));
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.locator('.panel').first().waitFor();
}

async function showHead({ page, open }: FlowContext): Promise<void> {
  await open('');
  const rows = page.getByRole('region', { name: 'Newest blocks' }).locator('tbody tr');
  await rows.first().waitFor();
  await page.getByRole('region', { name: 'Projections' }).getByText('actions').waitFor();
}

export const FLOWS: readonly Flow[] = [
  // The first one: each file of the store is copied, and it has few now.
  {
    name: 'the local chain is stored and put back',
    isAlone: true,
    // The server restarts twice.
    limitMs: 240_000,
    expected: /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of 50\d/,
    async run({ page, open }) {
      await open('localnet');
      await page.getByRole('button', { name: 'Store the chain' }).click();
      await page.getByText('Stored as snapshot-1.').waitFor();
      await page.getByRole('button', { name: 'Return to snapshot-1' }).click();
      await page.getByText('The chain is at snapshot-1 again.').waitFor();
    },
  },
  {
    name: 'head shows blocks as they arrive',
    async run(context) {
      await showHead(context);
      const { page } = context;
      const value = page.locator('.figures .value').first();
      const before = (await value.textContent()) ?? '';
      await page.locator('.figures li').first().filter({ hasNotText: before }).waitFor();
      assert.match((await page.locator('.figures').textContent()) ?? '', /\d\.\dTransactions per second/);
    },
  },
  {
    name: 'head shows what a replay changes',
    // A replay runs.
    limitMs: 240_000,
    async run(context) {
      const { page, world } = context;
      await showHead(context);
      await world.buildVersion();
      await page.getByText('complete, not served').waitFor();
      const rows = page.getByRole('region', { name: 'Differences of base' }).locator('tbody tr');
      await rows.filter({ hasText: /^messages00[\d,]+opcode \([\d,]+\)$/ }).waitFor();
      await page.getByText('Examples').click();
      await page
        .getByText(/altered in messages/)
        .first()
        .waitFor();
    },
  },
  { name: 'head on a phone', width: 360, run: showHead },
  { name: 'head in the dark', isDark: true, run: showHead },
  {
    name: 'search finds every kind',
    async run(context) {
      const { page, open, world } = context;
      await open('');
      const one = await findTransaction(context);
      const { shard, seqno } = one.block_ref;
      const path = `/api/v3/blocks?workchain=0&shard=${shard}&seqno=${seqno}`;
      const block = await world.find(
        path,
        (answer: { blocks: { root_hash: string; file_hash: string }[] }) => answer.blocks[0],
      );
      const hex = Buffer.from(one.hash, 'base64').toString('hex');
      await expectSearch(context, WALLET, /^Account/);
      await expectSearch(context, one.account, /^Account/);
      await expectSearch(context, 'faucet.ton', /^Account/);
      await expectSearch(context, one.hash, /^Transaction/);
      await expectSearch(context, hex, /^Transaction/);
      await expectSearch(context, one.in_msg?.hash ?? '', /^Message/);
      await expectSearch(context, block.root_hash, /^Block/);
      await expectSearch(context, block.file_hash, /^Block/);
      await expectSearch(context, '2', /^Block 2/);
      await page.getByText('masterchain', { exact: true }).first().waitFor();
    },
  },
  {
    name: 'search says what was expected',
    async run({ page, open }) {
      await open('');
      for (const [text, reason] of [
        ['zzz', 'none of the known forms'],
        [WALLET.replace('MG9', 'MG8'), 'checksum'],
        [UNKNOWN_HASH, 'The index has no transaction, message or block'],
        ['nobody-has-this.ton', 'The index has no domain'],
      ] as const) {
        await search(page, text);
        await page.getByRole('alert').filter({ hasText: reason }).waitFor();
      }
    },
  },
  {
    name: 'block with its transactions',
    async run(context) {
      const { page, open } = context;
      const { block_ref: block } = await findTransaction(context);
      await open(`block/${block.workchain}/${block.shard}/${block.seqno}`);
      await page.getByText('Root hash').waitFor();
      await page
        .getByRole('region', { name: 'Transactions of the block' })
        .locator('tbody tr')
        .first()
        .waitFor();
      await page.getByRole('link', { name: 'next →' }).click();
      await page.getByRole('heading', { level: 1, name: `Block ${block.seqno + 1}` }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: `Block ${block.seqno} ` }).waitFor();
      await page.getByText('Root hash').waitFor();
    },
  },
  {
    name: 'message',
    async run(context) {
      const one = await findTransaction(context);
      await context.open(`message/${encodeURIComponent(one.in_msg?.hash ?? '')}`);
      await context.page.getByText('Body hash').waitFor();
      await context.page.getByRole('link', { name: /…/ }).first().waitFor();
    },
  },
  {
    name: 'account with transactions, read page by page',
    async run({ page, open, world }) {
      await world.find(`/api/v3/transactions?account=${ELECTOR}&limit=60`, (answer: Found) =>
        answer.transactions.length === 60 ? true : undefined,
      );
      await open(`account/${encodeURIComponent(ELECTOR)}`);
      const rows = page.getByRole('region', { name: 'Transactions of the account' }).locator('tbody tr');
      await rows.first().waitFor();
      await page.getByRole('img', { name: 'Chart: balance in TON' }).waitFor();
      while ((await rows.count()) < 60) await rows.last().scrollIntoViewIfNeeded();
      const hashes = await rows
        .locator('a:first-child')
        .evaluateAll((links) => links.map((one) => String(one)));
      assert.equal(new Set(hashes).size, hashes.length);
    },
  },
  {
    name: 'account of a wallet with jettons, on a phone',
    width: 360,
    async run(context) {
      await showHolder(context);
      await context.page.getByRole('button', { name: 'Actions', exact: true }).click();
      await context.page.locator('.actions li').first().waitFor();
    },
  },
  {
    name: 'questions, and an answer as CSV',
    async run({ page, open, show, world }) {
      await open('questions');
      assert.deepEqual(
        await page.locator('.questions a').allTextContents(),
        QUESTIONS.map(({ title }) => title),
      );
      await show('questions/01-transactions-per-second');
      await page.locator('tbody tr').first().waitFor();
      const csv = (await page.getByRole('link', { name: 'as CSV' }).getAttribute('href')) ?? '';
      assert.match(
        await (await fetch(`${world.url}${csv}`)).text(),
        /^"day","transactions","per_second","aborted"\n"/,
      );
    },
  },
  ...[0, 1, 2].map(
    (part): Flow => ({
      name: `questions are answered by SQL, part ${part + 1} of 3`,
      run: (context) =>
        answerQuestions(
          context,
          QUESTIONS.filter((_, number) => number % 3 === part),
        ),
    }),
  ),
  // It starts a server: others go on meanwhile.
  ...IMAGE_FLOWS,
  { name: 'rankings', run: showRankings },
  { name: 'rankings on a phone in the dark', width: 360, isDark: true, run: showRankings },
  {
    name: 'a question of ones own with 10,000 rows',
    async run({ page, open }) {
      await open('questions/own');
      const statement =
        'SELECT a.lt, b.account FROM transactions AS a CROSS JOIN transactions AS b LIMIT 10000';
      await page.getByLabel('SQL').fill(statement);
      await page.getByRole('button', { name: 'Run' }).click();
      const rows = page.getByRole('region', { name: 'A question of your own' }).locator('tbody tr');
      await rows.nth(199).waitFor();
      await page.getByRole('button', { name: 'Show all 10,000 rows' }).click();
      await rows.nth(9_999).waitFor();
      assert.equal(await rows.count(), 10_000);
      await page.getByLabel('SQL').fill('SELECT now() FROM nothing');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('alert').filter({ hasText: 'nothing' }).waitFor();
    },
    expected: /status of 404/,
  },
  // They wait for a swap of the traffic.
  {
    name: 'transaction and its message',
    async run(context) {
      const { page, open } = context;
      const swap = await findSwap(context);
      await open(`transaction/${encodeURIComponent(swap.transactions[0] ?? '')}`);
      for (const title of ['Compute phase', 'Action phase', 'Incoming message'])
        await page.getByRole('heading', { name: title }).waitFor();
      await page.getByText('Raw body').first().click();
      await page.getByText('te6cc').first().waitFor();
      await page.getByText('Where this comes from').click();
      assert.match(
        (await page.locator('.sources code').textContent()) ?? '',
        /^curl 'http:\/\/127\.0\.0\.1:\d+\/api\/v3\/tr/,
      );
      const link = (await page.getByRole('link', { name: 'as JSON' }).getAttribute('href')) ?? '';
      assert.equal(((await context.world.ask(link)) as Found).transactions.length, 1);
    },
  },
  { name: 'trace with actions above its tree', run: showTrace },
  { name: 'trace on a phone', width: 360, run: showTrace },
  { name: 'trace in the dark', isDark: true, run: showTrace },
  {
    name: 'a get method of an account',
    async run({ page, open, world }) {
      const [faucet] = await world.listWallets();
      await open(`account/${encodeURIComponent(faucet?.address ?? '')}`);
      await page.getByLabel('Method').fill('seqno');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('exit code 0').waitFor();
      await page.getByLabel('Method').fill('no_such_method');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('exit code 11').waitFor();
    },
  },
  {
    name: 'the local chain is controlled, on a phone',
    width: 360,
    expected: /status of 422/,
    async run({ page, open }) {
      await open('');
      await page.getByRole('link', { name: 'Local chain' }).click();
      await page.getByRole('region', { name: 'Wallets of the local chain' }).getByText('faucet').waitFor();
      const form = (button: string) =>
        page.locator('form').filter({ has: page.getByRole('button', { name: button, exact: true }) });
      const send = async (button: string, values: Readonly<Record<string, string>>) => {
        for (const [label, value] of Object.entries(values))
          await form(button).getByLabel(label, { exact: true }).fill(value);
        await form(button).getByRole('button').click();
      };
      const [target, other] = ['6', '5'].map((digit) => NEVER_SEEN.replaceAll('7', digit)) as [
        string,
        string,
      ];
      const code = 'Code: a BoC in base64 or hex';
      await send('Send from the faucet', { Address: target });
      await page.getByText(/Sent with the message [0-9a-f]{64}/).waitFor();
      await send('Make blocks', {});
      await page.getByText(/Made block \d+/).waitFor();
      await send('Send from the faucet', { TON: 'much' });
      await page.getByRole('alert').filter({ hasText: 'an amount is needed, found much' }).waitFor();
      await send('Set a balance', { Address: target, TON: '77' });
      await page.getByText(/Set in block \d+/).waitFor();
      await send('Send as any account', { From: target, To: other, TON: '1', Comment: 'as another' });
      await page.getByText(/Sent in block \d+/).waitFor();
      await send('Set code and data', { Address: target, [code]: 'zz' });
      await page.getByRole('alert').filter({ hasText: 'code: expected a BoC' }).waitFor();
      await send('Set code and data', { [code]: EMPTY_CELL });
      await page.getByText(/Set in block \d+/).waitFor();
      await page.getByRole('button', { name: 'Generate traffic' }).click();
      await page.getByText('The chain generates 5 transactions per second.').waitFor();
      // As much as before, for the other flows.
      await send('Generate traffic', { 'Transactions per second; 0 ends it': '2' });
      await page.getByText('The chain generates 2 transactions per second.').waitFor();
    },
  },
  {
    name: 'an API key that the server does not need',
    async run(context) {
      const { page, open } = context;
      await open('');
      await page.getByText('API key').click();
      await page.getByLabel(/^Key/).fill('a-key');
      const request = page.waitForRequest((one) => one.headers()['x-api-key'] === 'a-key');
      await page.getByRole('button', { name: 'Use it' }).click();
      await request;
      await page.getByText('API key (set)').waitFor();
    },
  },
  {
    name: 'the first page is small, and visible at once',
    async run({ page, open }) {
      await open('');
      const sizes = (await page.evaluate(
        "performance.getEntriesByType('resource').filter((one) => one.name.includes('/web/')).map((one) => one.encodedBodySize)",
      )) as number[];
      assert.ok(sizes.length >= 2);
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(bytes < 150_000, `${bytes} bytes`);
      const paint = await page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0].startTime",
      );
      process.stdout.write(
        `first paint after ${Math.round(Number(paint))} ms, ${bytes} bytes of script and styles\n`,
      );
    },
  },
  {
    name: 'a question on a phone in the dark',
    width: 360,
    isDark: true,
    async run({ page, open }) {
      await open('questions/07-supply-by-kind');
      await page.locator('tbody tr').first().waitFor();
    },
  },
  { name: 'account in the dark', isDark: true, run: showHolder },
  {
    name: 'account that nobody used',
    async run({ page, open }) {
      await open(`account/${encodeURIComponent(NEVER_SEEN)}`);
      await page.getByText('The account has no transactions.').waitFor();
    },
  },
  {
    name: 'things that do not exist',
    async run({ page, open }) {
      await open(`transaction/${UNKNOWN_HASH}`);
      await page.getByText('The index has no such transaction.').waitFor();
      await open(`message/${UNKNOWN_HASH}`);
      await page.getByText('The index has no such message.').waitFor();
      await open(`trace/${UNKNOWN_HASH}`);
      await page.getByText('The index has no such trace.').waitFor();
      await open('block/-1/8000000000000000/99999999');
      await page.getByText('The index has no such block.').waitFor();
    },
  },
  {
    name: 'an address that the API refuses',
    expected: /status of 422/,
    async run({ page, open }) {
      await open('transaction/zzz');
      await page.getByRole('alert').filter({ hasText: '422' }).waitFor();
    },
  },
  {
    name: 'text of strangers stays text',
    async run(context) {
      const { page, open, world } = context;
      const path = `/api/v3/transactions?account=${WALLET}&limit=1&sort=desc`;
      const one = await world.find(path, (answer: Found) => answer.transactions[0]);
      await open(`transaction/${encodeURIComponent(one.hash)}`);
      await page.locator('pre').filter({ hasText: '<img src=x onerror=alert(1)>' }).waitFor();
      await showHolder(context);
      const shown = HOSTILE.replace('\u202e', '\\u202e').replace('\u202c', '\\u202c');
      const region = page.getByRole('region', { name: 'Jettons of the account' });
      await region.getByText(shown.slice(0, 40)).first().waitFor();
      assert.equal(await page.locator('img').count(), 0);
      assert.equal(await page.locator('a[href*="evil"]').count(), 0);
      assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /[\u202a-\u202e]/);
    },
  },
  {
    name: 'keyboard',
    async run({ page, open }) {
      await open('');
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN');
      await page.keyboard.press('Shift+Tab');
      await search(page, WALLET);
      await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
      // The focus follows to the new view.
      await page.locator('main:focus').waitFor();
    },
  },
  {
    name: 'head without a replay that was dropped, on a phone',
    width: 360,
    // The replay before it has ended.
    isAlone: true,
    async run(context) {
      await showHead(context);
      await context.page.getByText('complete, not served').waitFor();
      await context.world.dropVersions();
      await context.page.getByText('complete, not served').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'a server that is gone, last',
    isAlone: true,
    expected:
      /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED|status of 503/,
    async run(context) {
      await showHead(context);
      await context.world.stop();
      const { page } = context;
      await page.getByRole('alert').filter({ hasText: 'The server does not answer' }).first().waitFor();
      // What is known stays.
      await page.getByRole('region', { name: 'Newest blocks' }).locator('tbody tr').first().waitFor();
    },
  },
];

async function answerQuestions({ page, open, show }: FlowContext, questions: typeof QUESTIONS) {
  await open('questions');
  for (const { name, title } of questions) {
    await show(`questions/${name}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    const rows = page.getByRole('region', { name: title }).locator('tbody tr').first();
    await rows.or(page.getByText('No row of the index answers this.')).waitFor();
  }
}

async function showTrace(context: FlowContext): Promise<void> {
  const { page, open } = context;
  const { trace_id } = await findSwap(context);
  await open(`trace/${encodeURIComponent(trace_id)}`);
  await page.locator('.actions').getByText(' swapped ').waitFor();
  assert.ok((await page.locator('.tree .node').count()) > 3);
}

/** Every ranking has rows: the local chain has all kinds of traffic. */
async function showRankings({ page, open, world }: FlowContext): Promise<void> {
  // The view asks once: tables for analysts follow the actions.
  for (const table of RANKED_TABLES)
    await world.find(
      toSqlUrl(`SELECT 1 FROM ${table} LIMIT 1`, 'JSONCompact'),
      ({ data }: SqlAnswer) => data[0],
    );
  await open('rankings');
  for (const title of RANKING_TITLES) {
    await page.getByRole('navigation', { name: 'Rankings' }).getByRole('link', { name: title }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.getByRole('region', { name: title }).locator('tbody tr').first().waitFor();
  }
}

/** The account of a jetton's holder. */
async function showHolder({ page, open, world }: FlowContext): Promise<void> {
  const owner = await world.find(
    '/api/v3/jetton/wallets?limit=1',
    (answer: { jetton_wallets: { owner: string }[] }) => answer.jetton_wallets[0]?.owner,
  );
  // The view reads each list once: what the flows wait for has to be indexed before.
  await world.find(
    `/api/v3/transactions?account=${owner}&limit=1`,
    (answer: Found) => answer.transactions[0],
  );
  await world.find(`/api/v3/actions?account=${owner}&limit=1`, (answer: Swap) => answer.actions[0]);
  await open(`account/${encodeURIComponent(owner)}`);
  await page.getByRole('region', { name: 'Jettons of the account' }).locator('tbody tr').first().waitFor();
  await page
    .getByRole('region', { name: 'Transactions of the account' })
    .locator('tbody tr')
    .first()
    .waitFor();
}
