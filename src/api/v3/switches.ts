import type { IncomingHttpHeaders } from 'node:http';
import type { SentParameters } from '../http/query-string.ts';
import type { ServeSettings } from '../serve-context.ts';
import type { Switches } from './endpoint.ts';
import { readBool } from './parameters/forms.ts';

/** Reads the switches of v3-endpoints.md 1.6: the query form wins over the header; what is not understood is ignored. */
export function readSwitches(
  headers: IncomingHttpHeaders,
  sent: SentParameters,
  settings: Pick<ServeSettings, 'queryTimeoutMs'>,
): Switches {
  const value = (name: string): string | undefined => {
    const inQuery = sent.get(name.replaceAll('-', '_'))?.values.at(-1);
    return inQuery ?? headers[name]?.toString();
  };
  return {
    addressBook: readBool(value('x-no-address-book') ?? '') !== true,
    metadata: readBool(value('x-no-metadata') ?? '') !== true,
    // This one has no query form.
    actionsVersion: headers['x-actions-version']?.toString() || null,
    timeoutMs: timeout(value('x-timeout'), settings.queryTimeoutMs),
  };
}

/** A shorter time limit than the setting's; never a longer one. */
function timeout(text: string | undefined, limit: number): number {
  const requested = text !== undefined && /^\d+$/.test(text) ? Number(text) : 0;
  return requested > 0 ? Math.min(requested, limit) : limit;
}
