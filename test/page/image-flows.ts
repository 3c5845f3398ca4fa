import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { startImageProxy, type TestImageProxy } from './image-proxy.ts';
import type { Flow, FlowContext } from './run-flow.ts';
import { HOSTILE_IMAGE, type Server } from './world.ts';

interface Items {
  readonly nft_items: readonly { readonly address: string }[];
}
interface Holding {
  readonly jetton_wallets: readonly { readonly owner: string; readonly jetton: string }[];
}

/** A token's content, and how many of its images the page shows. PROXY is the image proxy's address. */
const CASES: readonly {
  readonly what: string;
  readonly content: Readonly<Record<string, string>>;
  readonly shown: number;
}[] = [
  { what: 'a picture', content: { image: 'https://pictures.example/a.png' }, shown: 1 },
  { what: 'a picture with a script', content: { image: 'https://pictures.example/a.svg' }, shown: 1 },
  { what: 'a page', content: { image: 'https://pictures.example/a.html' }, shown: 0 },
  { what: 'a script', content: { image: 'javascript:alert(1)' }, shown: 0 },
  { what: 'a page in the link', content: { image: 'data:text/html,<script>alert(1)</script>' }, shown: 0 },
  {
    what: 'a drawing in the link',
    content: { image: 'data:image/svg+xml,<svg onload="alert(1)"/>' },
    shown: 0,
  },
  ...[
    'https://evil.example/a.png',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'PROXY/../a.png',
    'PROXY.evil.example/a.png',
  ].map((address, number) => ({
    what: `another address, ${address.slice(0, 12)}`,
    content: {
      image: `https://pictures.example/refused-${number}.png`,
      _image_small: address,
      _image_medium: address,
    },
    shown: 0,
  })),
];
const POLL_MS = 50;
/** The picture with a script: the screenshot shows it. */
const PICTURED = 1;

/** A server that lets the page load images, and the tokens of the cases in their order. */
interface ImageWorld {
  readonly url: string;
  readonly proxy: TestImageProxy;
  readonly tokens: readonly string[];
}

export const IMAGE_FLOWS: readonly Flow[] = [
  {
    name: 'images of tokens by the image proxy only',
    // It starts a server.
    limitMs: 240_000,
    // A page in the place of a picture, and the picture that the test itself adds.
    expected: /ERR_BLOCKED_BY_ORB|Content Security Policy/,
    async run(context) {
      const proxy = await startImageProxy();
      let server: Server | undefined;
      try {
        const tokens = await setCases(context.world, proxy);
        server = await context.world.serve(['--metadata', 'fetch', '--image-proxy', proxy.setting]);
        const images = { url: server.url, proxy, tokens };
        context.allow(new URL(proxy.address).origin);
        context.allow(server.url);
        await showHolding(context, images);
        await showRows(context, images);
        await expectPolicy(context);
        await showPages(context, images);
      } finally {
        await server?.stop();
        proxy.stop();
      }
      assert.deepEqual(proxy.refused, []);
    },
  },
];

/** Gives an NFT the content of each case. A server that starts after this has them. */
async function setCases(world: FlowContext['world'], proxy: TestImageProxy): Promise<readonly string[]> {
  const tokens = await world.find('/api/v3/nft/items?limit=100', ({ nft_items }: Items) =>
    nft_items.length < CASES.length
      ? undefined
      : nft_items.slice(0, CASES.length).map(({ address }) => address),
  );
  const contents = CASES.map(({ content }, number) => {
    const given = Object.entries(content).map(([key, text]) => [key, text.replace('PROXY', proxy.address)]);
    return { name: `case ${number}`, description: 'Has a picture.', ...Object.fromEntries(given) };
  });
  await world.overrideTokens(Object.fromEntries(tokens.map((token, number) => [token, contents[number]])));
  return tokens;
}

/** The jetton with the hostile name: the list of an account shows its picture. */
async function showHolding({ world, page, open }: FlowContext, { url, proxy }: ImageWorld): Promise<void> {
  const { owner } = await world.find(
    '/api/v3/jetton/wallets?limit=50&exclude_zero_balance=true',
    (answer: Holding) => answer.jetton_wallets[0],
  );
  await open(`account/${encodeURIComponent(owner)}`, url);
  const tokens = page.getByRole('region', { name: 'Jettons of the account' });
  await tokens.locator('img').first().waitFor();
  await page.getByRole('heading', { name: 'NFTs' }).waitFor();
  await expectShown(tokens, 1, 'the jetton with the hostile name');
  assert.ok(proxy.links.includes(HOSTILE_IMAGE), proxy.links.join());
}

/** All cases in one table. */
async function showRows({ page, open }: FlowContext, { url, proxy, tokens }: ImageWorld): Promise<void> {
  await open('questions/own', url);
  proxy.links.length = 0;
  const statement = `SELECT arrayJoin(['${tokens.join("', '")}']) AS token`;
  await page.getByLabel('SQL').fill(statement);
  await page.getByRole('button', { name: 'Run' }).click();
  const rows = page.getByRole('region', { name: 'A question of your own' }).locator('tbody tr');
  await rows.nth(PICTURED).locator('img').waitFor();
  for (const [number, { what, shown }] of CASES.entries()) await expectShown(rows.nth(number), shown, what);
  assert.equal(await rows.count(), CASES.length);
  // The page that is no picture is asked for, too.
  const links = CASES.slice(0, 3).map(({ content }) => content.image ?? '');
  assert.deepEqual(proxy.links.toSorted(), links.toSorted());
}

/** The page of each token of a case, the pictured one last for the screenshot. */
async function showPages({ page, open, show }: FlowContext, { url, tokens }: ImageWorld): Promise<void> {
  await open('', url);
  const others = CASES.keys().filter((number) => number !== PICTURED);
  for (const number of [...others, PICTURED]) {
    await show(`account/${encodeURIComponent(tokens[number] ?? '')}`, url);
    await page.getByText(`case ${number}`, { exact: true }).first().waitFor();
    await page.getByText('Has a picture.').waitFor();
    const { what, shown } = CASES[number] ?? assert.fail();
    await expectShown(page.locator('main'), shown, `${what}, page of the token`);
  }
}

/** Asserts how many images a part of the page shows, after those that do not load are removed. */
async function expectShown(part: Locator, count: number, what: string): Promise<void> {
  const isLoading = () =>
    part
      .locator('img')
      .evaluateAll((all) => all.some((one) => (one as never as { naturalWidth: number }).naturalWidth === 0));
  while (await isLoading()) await sleep(POLL_MS);
  assert.equal(await part.locator('img').count(), count, what);
}

/** The policy of the page refuses a stranger's image also if the page asked for it. */
async function expectPolicy({ page, allow }: FlowContext): Promise<void> {
  const seen: string[] = [];
  const stranger = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = stranger.address() as AddressInfo;
    // The browser reports the request, and does not send it.
    allow(`http://127.0.0.1:${port}`);
    const outcome = await page.evaluate(`new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve('loaded');
      image.onerror = () => resolve('refused');
      image.src = 'http://127.0.0.1:${port}/images/a.png';
    })`);
    assert.equal(outcome, 'refused');
    assert.deepEqual(seen, []);
  } finally {
    stranger.close();
  }
}
