import {
  JETTON_NOTIFICATION_OP,
  loadJettonNotification,
} from '../../../../ton/messages/jetton-notification.ts';
import { isRefusal } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import { call } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';

/** Notice of a receiving wallet to its owner; `creditedAmount` reads it. */
export const notification = call(JETTON_NOTIFICATION_OP, { label: 'notified' });

/**
 * The amount that a receiving wallet reports to its owner; null if it sent no readable notice. Only a wallet under a
 * custom code can credit another amount than its internal transfer has: for all others the result is null.
 */
export function creditedAmount(received: Block, found: Found, context: Context): bigint | null {
  if (received.aborted || !context.isCustomCode(received.destination)) return null;
  const owner = context.jettonWallet(received.destination)?.owner;
  const notices = found.all('notified').filter((one) => one.source === received.destination);
  const notice = notices.find(({ destination }) => destination === owner);
  return notice ? readAmount(notice) : null;
}

/** null if the body does not follow TEP-74. */
function readAmount(notice: Block): bigint | null {
  try {
    return loadJettonNotification(notice.body().slice).amount;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}
