import { stateInitCell } from '../../../ton/store/store-state-init.ts';
import { estimateFee as estimate } from '../../chain/estimate-fee.ts';
import { requestCell } from '../../chain/request-cell.ts';
import { readAddress, readBoc, readBoolean, readOptionalBoc } from '../parameters/body.ts';
import { postEndpoint } from '../post-endpoint.ts';
import { type EstimateFeeAnswer, EstimateFeeBodySchema, EstimateFeeSchema } from '../schemas/chain.ts';

/** POST `/estimateFee`: the cost of an external message for its account. */
export const estimateFee = postEndpoint({
  path: '/estimateFee',
  tag: 'api/v2',
  summary: 'Fees of an external message.',
  reads: ['base'],
  body: EstimateFeeBodySchema,
  answer: EstimateFeeSchema,
  async handle(context, scope, fields, caller): Promise<EstimateFeeAnswer> {
    const address = readAddress(fields);
    const body = requestCell(readBoc(fields, 'body'));
    const part = (name: string) => {
      const boc = readOptionalBoc(fields, name);
      return boc && requestCell(boc);
    };
    const [code, data] = [part('init_code'), part('init_data')];
    const init = code || data ? stateInitCell(code, data) : null;
    const ignoreSignature = readBoolean(fields, 'ignore_chksig');
    const request = { context, scope, caller };
    const fees = await estimate(request, { address, body, init, ignoreSignature });
    return { source_fees: fees, destination_fees: [] };
  },
});
