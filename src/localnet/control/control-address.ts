import { parseAddress } from '../../ton/address/address.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { ControlRefusal } from '../control-refusal.ts';

/** An address, raw or friendly, that an account of a local chain can have. @throws ControlRefusal */
export function parseLocalAddress(name: string, text: unknown): AccountAddress {
  const parsed = parseAddress(String(text));
  if (!parsed || (parsed.workchain !== 0 && parsed.workchain !== -1))
    throw new ControlRefusal(`${name}: expected an address of workchain 0 or -1, found ${text}`);
  return { workchain: parsed.workchain, address: parsed.hash };
}
