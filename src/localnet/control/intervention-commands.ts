import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { fromHex, toHex } from '../../ton/hash/hex.ts';
import { commentBody } from '../../ton/messages/text-comment.ts';
import { ControlRefusal } from '../control-refusal.ts';
import type { IntervenedOutcome, LocalnetControl } from '../localnet-control.ts';
import { parseLocalAddress } from './control-address.ts';

/**
 * Commands that change accounts against the rules of the chain. Amounts are nanotons, decimal; cells are BoCs in base64 or
 * hex. Each answer has a masterchain seqno whose state has the change.
 */
export interface InterventionCommands {
  readonly setBalance: {
    readonly request: { readonly address: string; readonly balance: string };
    readonly answer: { readonly seqno: number };
  };
  /** Sets the code; with `data`, both in one transaction. */
  readonly setCode: {
    readonly request: { readonly address: string; readonly code: string; readonly data?: string };
    readonly answer: { readonly seqno: number };
  };
  readonly setData: {
    readonly request: { readonly address: string; readonly data: string };
    readonly answer: { readonly seqno: number };
  };
  /** Sends an internal message as `from`, which pays for it. `init`: a StateInit. */
  readonly impersonate: {
    readonly request: {
      readonly from: string;
      readonly to: string;
      readonly amount: string;
      /** Default true. */
      readonly bounce?: boolean;
      readonly comment?: string;
      /** Instead of `comment`. */
      readonly body?: string;
      readonly init?: string;
    };
    /** Hex hash of the external message that the transaction of `from` receives. */
    readonly answer: { readonly seqno: number; readonly hash: string };
  };
}

type InterventionHandlers = {
  readonly [C in keyof InterventionCommands]: (
    control: LocalnetControl,
    request: InterventionCommands[C]['request'],
  ) => Promise<InterventionCommands[C]['answer']>;
};

export const INTERVENTION_HANDLERS: InterventionHandlers = {
  setBalance: async (control, { address, balance }) => {
    const amount = parseAmount('balance', balance);
    return changed(await control.setAccount(parseLocalAddress('address', address), { balance: amount }));
  },
  setCode: async (control, { address, code, data }) => {
    const parts = { code: bag('code', code), ...(data !== undefined && { data: bag('data', data) }) };
    return changed(await control.setAccount(parseLocalAddress('address', address), parts));
  },
  setData: async (control, { address, data }) =>
    changed(await control.setAccount(parseLocalAddress('address', address), { data: bag('data', data) })),
  impersonate: async (control, { from, to, amount, bounce = true, comment, body, init }) => {
    if (typeof bounce !== 'boolean')
      throw new ControlRefusal(`bounce: expected true or false, found ${bounce}`);
    if (comment !== undefined && body !== undefined)
      throw new ControlRefusal('expected a comment or a body, found both');
    const outcome = await control.impersonate(parseLocalAddress('from', from), {
      to: parseLocalAddress('to', to),
      value: parseAmount('amount', amount),
      bounce,
      body: messageBody(comment, body),
      init: init === undefined ? null : parseCell('init', init),
    });
    return { ...changed(outcome), hash: toHex(done(outcome).hash!) };
  },
};

function messageBody(comment: string | undefined, body: string | undefined): Cell | null {
  if (body !== undefined) return parseCell('body', body);
  return comment === undefined ? null : commentBody(String(comment));
}

function done(outcome: IntervenedOutcome): Extract<IntervenedOutcome, { ok: true }> {
  if (!outcome.ok) throw new ControlRefusal(outcome.detail);
  return outcome;
}

function changed(outcome: IntervenedOutcome): { readonly seqno: number } {
  return { seqno: done(outcome).mcSeqno };
}

function parseAmount(name: string, text: unknown): bigint {
  if (typeof text !== 'string' || !/^\d{1,38}$/.test(text))
    throw new ControlRefusal(`${name}: expected nanotons as decimal digits in a string, found ${text}`);
  return BigInt(text);
}

function bag(name: string, text: unknown): Uint8Array {
  return writeBag(parseCell(name, text));
}

function parseCell(name: string, text: unknown): Cell {
  const bytes = typeof text === 'string' ? (fromHex(text) ?? fromBase64(text)) : null;
  if (bytes === null) throw new ControlRefusal(`${name}: expected a BoC in base64 or hex`);
  try {
    return readCell(bytes);
  } catch (error) {
    if (error instanceof BocError || error instanceof CellError)
      throw new ControlRefusal(`${name}: expected a BoC of one cell: ${error.message}`);
    throw error;
  }
}
