import { toBase64 } from '../../../ton/hash/base64.ts';
import { needChain } from '../../chain/need-chain.ts';
import { readPublicLibraries } from '../../chain/public-libraries.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { documented, list } from '../../parameters/parameter.ts';
import { LIBRARY_RESULT } from '../format/chain-schemas.ts';
import { HASH } from '../parameters/forms.ts';
import { defineMethod, requireScope, type V2Request } from './method.ts';

const MAX_LIBRARIES = 16;

/** Public libraries by their hashes, sorted by hash; unknown ones are left out. */
export const getLibraries = defineMethod({
  name: 'getLibraries',
  group: 'config',
  reads: ['base'],
  summary: 'Public libraries',
  parameters: {
    libraries: documented(list(HASH, 'hashes of library cells, at most 16', { isCut: false }), {
      maxItems: MAX_LIBRARIES,
    }),
  },
  result: LIBRARY_RESULT,
  async answer(request, { libraries }) {
    if (libraries.length > MAX_LIBRARIES)
      throw new HttpError(400, `INVALID_FIELD: at most ${MAX_LIBRARIES} libraries`);
    const wanted = new Map(libraries.map((hash) => [hash.toHex(), hash]));
    const hashes = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, hash]) => hash);
    const found = hashes.length === 0 ? [] : await readLibraries(request, hashes);
    return {
      '@type': 'smc.libraryResult',
      result: hashes.flatMap((hash, at) => {
        const boc = found[at];
        return boc ? [{ '@type': 'smc.libraryEntry', hash: toBase64(hash), data: toBase64(boc) }] : [];
      }),
    };
  },
});

/** Libraries from the chain itself, or from the states of the store. */
function readLibraries(request: V2Request, hashes: readonly Uint8Array[]) {
  const { states } = needChain(request.context);
  return states ? states.libraries(hashes) : readPublicLibraries(requireScope(request), hashes);
}
