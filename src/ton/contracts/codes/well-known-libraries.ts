import type { Cell } from '../../cell/cell.ts';
import { readCell } from '../../cell/cells-of-bag.ts';
import { fromBase64 } from '../../hash/base64.ts';
import { libraryCell } from './library-code.ts';

/**
 * Public codes that very many accounts hold, some of them as library cells, by hash (lower-case hex): BoCs in base64. A few only:
 * each takes a kilobyte.
 */
const CODES: Readonly<Record<string, string>> = {
  // Wallet of TEP-74's reference implementation.
  beb0683ebeb8927fe9fc8ec0a18bc7dd17899689825a121eab46c5a3a860d0ce:
    'te6ccgECEQEAAyMAART/APSkE/S88sgLAQIBYgIQAgLMAwYCAdQEBQDDCDHAJJfBOAB0NMDAXGwlRNfA/AM4PpA+kAx+gAxc' +
    'dch+gAx+gAwc6m0AALTH4IQD4p+pVIgupUxNFnwCeCCEBeNRRlSILqWMUREA/AK4DWCEFlfB7y6k1nwC+BfBIQP8vCAAET6R' +
    'DBwuvLhTYAIBIAcPAgEgCAoB8VA9M/+gD6QCHwAe1E0PoA+kD6QNQwUTahUirHBfLiwSjC//LiwlQ0QnBUIBNUFAPIUAT6Al' +
    'jPFgHPFszJIsjLARL0APQAywDJIPkAcHTIywLKB8v/ydAE+kD0BDH6ACDXScIA8uLEd4AYyMsFUAjPFnD6AhfLaxPMgJAJ6C' +
    'EBeNRRnIyx8Zyz9QB/oCIs8WUAbPFiX6AlADzxbJUAXMI5FykXHiUAioE6CCCcnDgKAUvPLixQTJgED7ABAjyFAE+gJYzxYB' +
    'zxbMye1UAgEgCw4C9ztRND6APpA+kDUMAjTP/oAUVGgBfpA+kBTW8cFVHNtcFQgE1QUA8hQBPoCWM8WAc8WzMkiyMsBEvQA9' +
    'ADLAMn5AHB0yMsCygfL/8nQUA3HBRyx8uLDCvoAUaihggiYloBmtgihggiYloCgGKEnlxBJEDg3XwTjDSXXCwGAMDQBwUnmg' +
    'GKGCEHNi0JzIyx9SMMs/WPoCUAfPFlAHzxbJcYAQyMsFJM8WUAb6AhXLahTMyXH7ABAkECMAfMMAI8IAsI4hghDVMnbbcIAQ' +
    'yMsFUAjPFlAE+gIWy2oSyx8Syz/JcvsAkzVsIeIDyFAE+gJYzxYBzxbMye1UANc7UTQ+gD6QPpA1DAH0z/6APpAMFFRoVJJx' +
    'wXy4sEnwv/y4sIFggkxLQCgFrzy4sOCEHvdl97Iyx8Vyz9QA/oCIs8WAc8WyXGAGMjLBSTPFnD6AstqzMmAQPsAQBPIUAT6A' +
    'ljPFgHPFszJ7VSAAg9QBBrkPaiaH0AfSB9IGoYAmmPwQgLxqKMqRBdQQg97svvCd0JWPlxYumfmP0AGAnQKBHkKAJ9ASxniw' +
    'Dni2Zk9qpAAboPYF2omh9AH0gfSBqGE=',
  // Wallet of governed jettons (USDT).
  '8f452d7a4dfd74066b682365177259ed05734435be76b5fd4bd5d8af2b7c3d68':
    'te6ccgECDwEAA9EAART/APSkE/S88sgLAQIBYgIDAvjQAdDTAwFxsI5IE18DgCDXIe1E0NMD+gD6QPpA0QTTHwGEDyGCEBeN' +
    'RRm6AoIQe92X3roSsfL0gEDXIfoAMBKgQBMDyMsDWPoCAc8WAc8Wye1U4PpA+kAx+gAx9AH6ADH6AAExcPg6AtMfASCCEA+K' +
    'fqW6joUwNFnbPOAzBAUCASANDgHyA9M/AQH6APpAIfpEMMAA8uFN7UTQ0wP6APpA+kDRUwnHBSRxsMAAIbHyrVIrxwVQCrHy' +
    '4ElRFaEgwv/yr/gqVCWQcFRgBBMVA8jLA1j6AgHPFgHPFskhyMsBE/QAEvQAywDJIPkAcHTIywLKB8v/ydAE+kD0AfoAIAYC' +
    '0CKCEBeNRRm6joQyWts84DQhghBZXwe8uo6EMQHbPOAyIIIQ7tI207qOLzABgEDXIdMD0e1E0NMD+gD6QPpA0TNRQscF8uBK' +
    'QDMDyMsDWPoCAc8WAc8Wye1U4GwhghDTchWMutyED/LwCAkBmCDXCwCa10vAAQHAAbDysZEw4siCEBeNRRkByx9QCgHLP1AI' +
    '+gIjzxYBzxYm+gJQB88WyciAGAHLBVAEzxZw+gJAY3dQA8trzMzJRTcHALQhkXKRceL4OSBuk4EkJ5Eg4iFulDGBKHORAeJQ' +
    'I6gToHOBA6Nw+DygAnD4NhKgAXD4NqBzgQQJghAJZgGAcPg3oLzysASAUPsAWAPIywNY+gIBzxYBzxbJ7VQD9O1E0NMD+gD6' +
    'QPpA0SNysMAC8m0H0z8BAfoAUUGgBPpA+kBTuscF+CpUZOBwVGAEExUDyMsDWPoCAc8WAc8WySHIywET9AAS9ADLAMn5AHB0' +
    'yMsCygfL/8nQUAzHBRux8uBKCfoAIZJfBOMNJtcLAcAAs5MwbDPjDVUCCgsMAfLtRNDTA/oA+kD6QNEG0z8BAfoA+kD0AdFR' +
    'QaFSiMcF8uBJJsL/8q/IghB73ZfeAcsfWAHLPwH6AiHPFljPFsnIgBgBywUmzxZw+gIBcVjLaszJA/g5IG6UMIEWn95xgQLy' +
    'cPg4AXD4NqCBGndw+DagvPKwAoBQ+wADDABgyIIQc2LQnAHLHyUByz9QBPoCWM8WWM8WyciAEAHLBSTPFlj6AgFxWMtqzMmA' +
    'EfsAAHpQVKH4L6BzgQQJghAJZgGAcPg3tgly+wLIgBABywVQBc8WcPoCcAHLaoIQ1TJ22wHLH1gByz/JgQCC+wBZACADyMsD' +
    'WPoCAc8WAc8Wye1UACe/2BdqJoaYH9AH0gfSBomfwVIJhAAhvFCPaiaGmB/QB9IH0gaK+Bw=',
  // The later wallet of governed jettons.
  ba2918c8947e9b25af9ac1b883357754173e5812f807a3d6e642a14709595395:
    'te6cckECDwEAA4AAART/APSkE/S88sgLAQIBYgIMAvjQAdDTAwFxsI5IE18DgCDXIe1E0NMD+gD6QPpA0QTTHwGEDyGCEBeN' +
    'RRm6AoIQe92X3roSsfL0gEDXIfoAMBKgQBMDyMsDWPoCAc8WAc8Wye1U4PpA+kAx+gAx9AH6ADH6AAExcPg6AtMfASCCEA+K' +
    'fqW6joUwNFnbPOAzAwYB9gPTPwEB+gD6QCH6RDDAAPLhTe1E0NMD+gD6QPpA0VIaxwXy4ElRFaEgwv/yr/gqVCWQcFRgBBMV' +
    'A8jLA1j6AgHPFgHPFskhyMsBE/QAEvQAywDJIPkAcHTIywLKB8v/ydAE+kD0AfoAICDXCwCa10vAAQHAAbDysZEw4gQB/siC' +
    'EBeNRRkByx9QCgHLP1AI+gIjzxYBzxYm+gJQB88WyciAGAHLBVAEzxZw+gJAY3dQA8trzMzJRTchkXKRceL4OSBuk4EnUZEg' +
    '4iFulDGBKMORAeJQI6gToHOBA6Nw+DygAnD4NhKgAXD4NqBzgQQJghAJZgGAcPg3oLzysAQFACqAUPsAWAPIywNY+gIBzxYB' +
    'zxbJ7VQCXCKCEBeNRRm6joQyWts84DQhghBZXwe8uo6EMQHbPOATXwOCENNyFYy63IQP8vAHCgPo7UTQ0wP6APpA+kDRB9M/' +
    'AQH6APpA+kBTuscF+CpUZOBwVGAEExUDyMsDWPoCAc8WAc8WySHIywET9AAS9ADLAMn5AHB0yMsCygfL/8nQUAzHBRux8uBK' +
    'UVKgCfoAIZJfBOMNItcLAcAAs5UwECRsMeMNUAMICQsAYMiCEHNi0JwByx8lAcs/UAT6AljPFljPFsnIgBABywUkzxZY+gIB' +
    'cVjLaszJgBH7AAB4UFSh+C+gc4EECYIQCWYBgHD4N7YJcvsCyIAQAcsFAc8WcPoCcAHLaoIQ1TJ22wHLH1gByz/JgQCC+wAB' +
    'AfLtRNDTA/oA+kD6QNEG0z8BAfoA+kD0AdFRQaFSOMcF8uBJJsL/8q/IghB73ZfeAcsfWAHLPwH6AiHPFljPFsnIgBgBywUm' +
    'zxZw+gIBcVjLaszJA/g5IG6UMIEXA95xgQLycPg4AXD4NqCBGmVw+DagvPKwAoBQ+wADCwAgA8jLA1j6AgHPFgHPFsntVAIB' +
    'IA0OACe/2BdqJoaYH9AH0gfSBomfwVIJhAAhvFCPaiaGmB/QB9IH0gaK+BwFTkpm',
  // Wallet of the sharded stablecoin contracts.
  '346250c205f56acfb6afa6fe7b76550805d256c6d8e47dd4f94ff672b47d19d3':
    'te6ccgECDQEAA4oAART/APSkE/S88sgLAQIBYgIMAvTQAdDTAwFxsMABjkMTXwOAINch7UTQ+gD6QPpA0QPTHwGEDyGCEBeN' +
    'RRm6AoIQe92X3roSsfL0gEDXIfoAMBKgAshQA/oCAc8WAc8Wye1U4PpA+kAx+gAx9AH6ADH6AAExcPg6AtMfASCCEA+KfqW6' +
    'joUwNFnbPOAzIgMGAfQD0z8BAfoA+kAh+kQwwADy4U3tRND6APpA+kDRUhnHBfLgSVEUoSDC//KvI4AL1yHXCwf4KlQlkHBU' +
    'IBMUyFAD+gIBzxYBzxbJInhxyMsAywTLABL0APQAywDJUUSE9wH5AAGwcHTIywLKBxLLB8v3ydAD+kD0AfoAIAQBliDXCwCa' +
    '10vAAQHAAbDysZEw4siCEBeNRRkByx9QCQHLP1AH+gIjzxYBzxYl+gJQBs8WyciAGAHLBVADzxZw+gJad1ADy2vMzMlERgUA' +
    'sCGRcpFx4vg5IG6TgSObkSDiIW6UMYEoMJEB4lAjqBOgc4EDLHD4PKACcPg2EqABcPg2oHOBBAKCEAlmAYBw+DegvPKwA4BQ' +
    '+wAByFAD+gIBzxYBzxbJ7VQCWoIQF41FGbqOhDJa2zzgNCGCEFlfB7y6joQxAds84BNfA4IQ03IVjLrchA/y8AcKAvTtRND6' +
    'APpA+kDRBtM/AQH6APpA+kBTqccFs45O+CpUY8AigAvXIdcLB1UgcFQgExTIUAP6AgHPFgHPFskieHHIywDLBMsAEvQA9ADL' +
    'AMmE9wH5AAGwcHTIywLKBxLLB8v3ydBQCscF8uBKkTniUVKgCPoAIZJfBOMNIggJAGDIghBzYtCcAcsfJQHLP1AE+gJYzxZY' +
    'zxbJyIAQAcsFJM8WWPoCAXFYy2rMyYAR+wAArtcLAcAAs447UEOh+C+gc4EEAoIQCWYBgHD4N7YJcvsCyIAQAcsFAc8WcPoC' +
    'cAHLaoIQ1TJ22wHLHwEByz/JgQCC+wCTFF8E4ljIUAP6AgHPFgHPFsntVAHu7UTQ+gD6QPpA0QXTPwEB+gD6QPQB0VFBoVI3' +
    'xwXy4Eklwv/yr8iCEHvdl94Byx9YAcs/AfoCIc8WWM8WyciAGAHLBSXPFnD6AgFxWMtqzMkC+DkgbpQwgRYN3nGBAvJw+DgB' +
    'cPg2oIEb33D4NqC88rABgFD7AFgLABzIUAP6AgHPFgHPFsntVAAdoPYF2omh9AH0gfSBo/BV',
  // Order of a multisig v2.
  '6305a8061c856c2ccf05dcb0df5815c71475870567cab5f049e340bcf59251f3':
    'te6cckECDAEAA3YAART/APSkE/S88sgLAQIBYgMCAMehx3HaiaH0gAPww6f+A/DEQa6TgAEcLGDb8Mbb8Mjb8Mrb8Mzb8M7b' +
    '8NDb8NMcRaYOA/DHpAAD8MmoA/DLp/4D8M2mDgPwz6ZeA/DRqAPw06PF8IPwhfCH8Inwi/CN8I/wkfCTA/jQMzHQ0wMBcbCR' +
    'W+D6QDAB0x8B7UTQ+kAB+GHT/wH4YiDXScAAjhYwbfhjbfhkbfhlbfhmbfhnbfhobfhpjiLTBwH4Y9IAAfhk1AH4ZdP/Afhm' +
    '0wcB+GfTLwH4aNQB+GnR4iDAAOMCAdM/ASKCEJxz+6K64wICghCnYiMPBwUEAUq6jpvTBwEB0fhFUhB49A5vofLgalIwxwXy' +
    '4GpZ2zzgXwOED/LwCAL+MvhBE8cF8uBo+ENujvEB0wcB+GNw+GTUAfhlcPhmcPhn0y8B+Gj4SPgjvvLgb9QB+GnSAAGOmdMH' +
    'Aa74RiGw8tBr+Eek+Gf4RgGx+GYB2zyRMeLR+En4RvhFyPhBzxb4QgHL//hDAcsH+EQBygDMy//4RwHLB/hIAcsvzMntVAoG' +
    'AYzgAdMHAfhDuvLgadQB+QD4RfkAuvLgadMvAfhIuvLgadQB+QD4SfkAuvLgadIAAfLgadMHAQHR+EVSEHj0Dm+h8uBqWNs8' +
    'CAHIMCDXSsAAjiPIcI4aItdJUjDXGRLPFiLXSpQC10zQkzF/WOJUEiDmMDHJ0N+EDwGLdhcHByb3ZljHBfL0IHB/jhn4RXj0' +
    'fG+lIJtSQ8cFlTF/MnAB3pEy4gGz5jLy4Gr4JRLbPAgCbo8zXO1E7UXtR46YMXDIghCvryg+WAQCyx/LP8sfgBCAUNs87Wft' +
    'Ze1kcn/tEYrtQe3xAfL/2wMLCQK0+ETy0HACrvhGIbDy0Gv4R6T4Z/hGAbH4ZnDIghCCYJv2JALLH8s/gBCAUNs82zz4SfhG' +
    '+EXI+EHPFvhCAcv/+EMBywf4RAHKAMzL//hHAcsH+EgByy/Mye1UCwoBgPhH+EO6jrb4QXD4SciCEHUJf11YBQLLH8s/+EIB' +
    'y//4SAHLL/hHAcsH+EX5AAHL/xPMEoAQgQCQ2zx/+GSRMOILAIiOQMhYAcsFUATPFlj6AlRxIO1E7UXtR51byFADzxfJEnFY' +
    'y2rM7WftZe1kc3/tEZdwActqAc8X7UHt8QHy/8kB+wDbBUX4Ahw=',
};

/** A shipped code has another hash than its name says. */
class LibraryHashError extends Error {
  override readonly name = 'LibraryHashError';

  constructor(expected: string, found: string) {
    super(`library code ${expected} has the hash ${found}`);
  }
}

/** Reads codes by hash. @throws LibraryHashError a code has another hash */
export function readLibraryCodes(codes: Readonly<Record<string, string>>): ReadonlyMap<string, Cell> {
  return new Map(
    Object.entries(codes).map(([hash, boc]) => {
      const cell = readCell(fromBase64(boc)!);
      const found = cell.hash().toHex();
      if (found !== hash) throw new LibraryHashError(hash, found);
      return [hash, cell];
    }),
  );
}

const LIBRARY_CODES = readLibraryCodes(CODES);

const LIBRARY_CELLS = new Map(
  [...LIBRARY_CODES.values()].map((code) => {
    const cell = libraryCell(code.hash());
    return [cell.hash().toHex(), cell];
  }),
);

/**
 * Returns the code of a well-known public library, or the library cell that accounts hold for it, by its hash (lower-case hex); null
 * for others. An index that has not seen who publishes the library can still run contracts that hold it.
 */
export function wellKnownCell(hash: string): Cell | null {
  return LIBRARY_CODES.get(hash) ?? LIBRARY_CELLS.get(hash) ?? null;
}
