import { estimateFee as estimate } from '../../chain/estimate-fee.ts';
import { withDefault } from '../../parameters/parameter.ts';
import { QUERY_FEES } from '../format/chain-schemas.ts';
import { BOOLEAN } from '../parameters/forms.ts';
import { MESSAGE_PARAMETERS, messageParts } from './message-parts.ts';
import { defineMethod } from './method.ts';

/** Fees of an external message at the present state. */
export const estimateFee = defineMethod({
  name: 'estimateFee',
  group: 'run method',
  reads: ['base'],
  postOnly: true,
  takesCells: true,
  summary: 'Fees of an external message',
  parameters: {
    ...MESSAGE_PARAMETERS,
    ignore_chksig: withDefault(BOOLEAN, true, 'take any signature for a good one'),
  },
  result: QUERY_FEES,
  async answer(request, values) {
    const question = { ...messageParts(values), ignoreSignature: values.ignore_chksig };
    const fees = await estimate(request, question);
    return {
      '@type': 'query.fees',
      source_fees: { '@type': 'fees', ...fees },
      destination_fees: [],
    };
  },
});
