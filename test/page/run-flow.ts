import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { World } from './world.ts';

/** What a flow gets. */
export interface FlowContext {
  readonly page: Page;
  readonly world: World;
  /** Opens a view: the part of the address after `#/`. `url`: another server than the world's. */
  open(view: string, url?: string): Promise<void>;
  /** Lets the page send requests to another server than the world's. */
  allow(url: string): void;
}

/** One thing that a user does, with the window that it is done in. */
export interface Flow {
  readonly name: string;
  readonly width?: number;
  readonly isDark?: boolean;
  /** Messages that the browser prints about answers that the flow provokes. */
  readonly expected?: RegExp;
  /** @throws AssertionError, or an error of the browser */
  run(context: FlowContext): Promise<void>;
}

export interface FlowSetup {
  readonly browser: Browser;
  readonly world: World;
  readonly screens: string | null;
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

const HEIGHT = 900;
const LIMIT_MS = 300_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Runs a flow in a new window. After it, the console must be empty, all requests were to the server, nothing is wider than the
 * window, and axe finds nothing serious. @returns what failed, or null
 */
export async function runFlow(flow: Flow, { browser, world, screens }: FlowSetup): Promise<string | null> {
  const { width = 1_280, isDark = false } = flow;
  const context = await browser.newContext({
    viewport: { width, height: HEIGHT },
    colorScheme: isDark ? 'dark' : 'light',
  });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  const allowed = new Set([world.url]);
  const complaints = watch(page, allowed, flow.expected);
  const failures = watchFailures(page);
  try {
    await flow.run({
      page,
      world,
      open: (view, url = world.url) => openView(page, url, view),
      allow: (url) => allowed.add(url),
    });
    if (screens !== null)
      await page.screenshot({
        path: join(screens, `${flow.name.replace(/[^a-z0-9]+/gi, '-')}.png`),
        fullPage: true,
      });
    const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    if (overflow > 0) complaints.push(`the page is ${overflow} px wider than the window`);
    complaints.push(...(await findBarriers(page)));
  } catch (error) {
    complaints.push(String((error as Error).stack));
    if (screens !== null)
      await page.screenshot({ path: join(screens, `failed ${flow.name}.png`) }).catch(() => {});
  } finally {
    await context.close();
  }
  return complaints.length === 0 ? null : [...complaints, ...failures].join('\n');
}

async function openView(page: Page, url: string, view: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${url}/#/${view}`);
  await page.locator('h1').waitFor();
}

/** Collects errors of the console, dialogs, and requests to others. */
function watch(page: Page, allowed: ReadonlySet<string>, expected: RegExp | undefined): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !expected?.test(message.text()))
      found.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => found.push(`error of the page: ${error.message}`));
  page.on('dialog', (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const isAllowed = [...allowed].some((url) => request.url().startsWith(`${url}/`));
    if (!isAllowed && request.url() !== 'about:blank') found.push(`request to ${request.url()}`);
  });
  return found;
}

/** Answers with a server's error: they explain what the console says. */
function watchFailures(page: Page): string[] {
  const found: string[] = [];
  page.on('response', async (response) => {
    if (response.status() < 500) return;
    const body = await response.text().catch(() => 'no body');
    found.push(`${response.status()} ${response.url().slice(0, 200)}: ${body.slice(0, 500)}`);
  });
  return found;
}

/** Serious findings of axe. */
async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run(document)')) as AxeResult;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `axe: ${id}: ${help}\n${nodes[0]?.html}\n${nodes[0]?.failureSummary}`);
}
