import { required } from '../../parameters/parameter.ts';
import { TransactionNotFound } from '../errors.ts';
import { EXT_TRANSACTION } from '../format/schemas.ts';
import { extTransaction } from '../format/transaction.ts';
import { ADDRESS, LOGICAL_TIME } from '../parameters/forms.ts';
import { type MessageSide, readLocated } from '../read/locate.ts';
import { withCells } from '../read/stored-transactions.ts';
import { defineMethod, type Method, requireScope } from './method.ts';

const LOCATE_PARAMETERS = {
  source: required(ADDRESS, 'sender of the message', 'empty source address'),
  destination: required(ADDRESS, 'receiver of the message', 'empty destination address'),
  created_lt: required(LOGICAL_TIME, 'lt of the message'),
};

/** The method that finds the transaction at one end of a message. */
function locate(name: string, aliases: readonly string[], side: MessageSide, summary: string): Method {
  return defineMethod({
    name,
    aliases,
    group: 'transactions',
    reads: ['base'],
    summary,
    parameters: LOCATE_PARAMETERS,
    result: EXT_TRANSACTION,
    async answer(request, { source, destination, created_lt }) {
      const scope = requireScope(request);
      const row = await readLocated(scope, { source, destination, createdLt: created_lt, side });
      if (!row) throw new TransactionNotFound();
      const [stored] = await withCells(scope, [row]);
      if (!stored) throw new TransactionNotFound();
      return extTransaction(stored);
    },
  });
}

/** The transaction that received the message. */
export const tryLocateTx = locate(
  'tryLocateTx',
  ['tryLocateResultTx'],
  'in',
  'Transaction that received a message',
);

/** The transaction that sent the message. */
export const tryLocateSourceTx = locate('tryLocateSourceTx', [], 'out', 'Transaction that sent a message');
