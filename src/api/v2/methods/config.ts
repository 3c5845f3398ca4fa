import { serializeCell } from '../../../ton/boc/serialize.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { configParam } from '../../chain/config-param.ts';
import { readChainView } from '../../chain/read-chain-view.ts';
import { int32 } from '../../parameters/integer.ts';
import { optional } from '../../parameters/parameter.ts';
import { InvalidRequest } from '../errors.ts';
import { CONFIG_INFO } from '../format/chain-schemas.ts';
import { STATE_SEQNO } from '../parameters/block-parameters.ts';
import { defineMethod } from './method.ts';

const NUMBER = optional(int32({ sign: 'non-negative' }), 'number of the parameter');

function configInfo(bytes: string): object {
  return { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes } };
}

/** One parameter of the configuration; empty if it has none of this number. */
export const getConfigParam = defineMethod({
  name: 'getConfigParam',
  group: 'config',
  reads: ['base'],
  summary: 'A configuration parameter',
  parameters: { config_id: NUMBER, param: NUMBER, seqno: STATE_SEQNO },
  result: CONFIG_INFO,
  async answer({ context, scope }, { config_id, param, seqno }) {
    const number = config_id ?? param;
    if (number === undefined || (config_id !== undefined && param !== undefined))
      throw new InvalidRequest('only one of config_id or param should be specified');
    const { config } = await readChainView(context, scope, null, seqno);
    const found = configParam(config, number);
    return configInfo(found ? toBase64(serializeCell(found.boc, found.cell)) : '');
  },
});

/** The whole configuration as its dictionary. */
export const getConfigAll = defineMethod({
  name: 'getConfigAll',
  group: 'config',
  reads: ['base'],
  summary: 'All configuration parameters',
  parameters: { seqno: STATE_SEQNO },
  result: CONFIG_INFO,
  async answer({ context, scope }, { seqno }) {
    return configInfo((await readChainView(context, scope, null, seqno)).config);
  },
});
