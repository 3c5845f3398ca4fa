import { CellSlice } from '../../../src/ton/boc/cell-slice.ts';
import { addMoney, grams, type Money, NO_MONEY } from '../../../src/ton/currencies/money.ts';
import { type InMsg, loadInMsg } from '../../../src/ton/tlb/message/in-msg.ts';
import { loadMessage, type Message } from '../../../src/ton/tlb/message/message.ts';
import type { MsgEnvelope } from '../../../src/ton/tlb/message/msg-envelope.ts';
import { loadOutMsg, type OutMsg } from '../../../src/ton/tlb/message/out-msg.ts';
import { loadWholeCell } from '../../../src/ton/tlb/whole-cell.ts';
import { IMPORTED, type Imported, MONEY } from './extra-rules.ts';
import { paysIhrFee, type ValidatedBlock } from './validated-block.ts';
import { walkAugmentedE } from './walk-augmented.ts';

/** The two descriptors, by message hash in hex. */
export interface Descriptors {
  readonly imported: Imported;
  readonly exported: Money;
  readonly inMsgs: ReadonlyMap<string, InMsg>;
  readonly outMsgs: ReadonlyMap<string, OutMsg>;
}

/** Checks InMsgDescr and OutMsgDescr: keys, extras of all leaves and forks, envelopes, re-imports. */
export function checkDescriptors(block: ValidatedBlock): Descriptors {
  const { boc, extra } = block;
  const inMsgs = new Map<string, InMsg>();
  const outMsgs = new Map<string, OutMsg>();
  /** Hash of each InMsg in its leaf. */
  const leaves = new Map<string, string>();
  const inSlice = new CellSlice(boc, extra.inMsgDescr);
  const imported = walkAugmentedE(
    inSlice,
    { what: 'InMsgDescr', keyBits: 256, rules: IMPORTED, leaf: (key, value) => inLeaf(block, key, value) },
    block.findings,
  );
  inSlice.end('InMsgDescr');
  const outSlice = new CellSlice(boc, extra.outMsgDescr);
  const exported = walkAugmentedE(
    outSlice,
    { what: 'OutMsgDescr', keyBits: 256, rules: MONEY, leaf: (key, value) => outLeaf(block, key, value) },
    block.findings,
  );
  outSlice.end('OutMsgDescr');
  return { imported, exported, inMsgs, outMsgs };

  function inLeaf({ hashes, findings }: ValidatedBlock, key: Uint8Array, value: CellSlice): Imported | null {
    const hash = key.toHex();
    leaves.set(hash, hashes.hashOfRest(value).toHex());
    const inMsg = loadInMsg(value);
    inMsgs.set(hash, inMsg);
    findings.equal('InMsgDescr key', hash, key, hashes.hash(inMsg.msg));
    if (inMsg.inEnvelope && (inMsg.kind === 'fin' || inMsg.kind === 'imm' || inMsg.kind === 'deferred_fin'))
      findings.equal('InMsg fwd_fee', hash, inMsg.inEnvelope.fwdFeeRemaining, inMsg.fee);
    return importFees(block, inMsg);
  }

  function outLeaf({ hashes, findings }: ValidatedBlock, key: Uint8Array, value: CellSlice): Money {
    const hash = key.toHex();
    const last = value.clone();
    const outMsg = loadOutMsg(value);
    outMsgs.set(hash, outMsg);
    if (outMsg.msg >= 0) findings.equal('OutMsgDescr key', hash, key, hashes.hash(outMsg.msg));
    if (REIMPORTED.has(outMsg.kind)) {
      // The InMsg is the last reference, and the same as the leaf of the other dictionary.
      last.skipRefs(last.refsLeft - 1);
      findings.equal('OutMsg imported', hash, leaves.get(hash) ?? 'absent', hashes.hash(last.ref()).toHex());
    }
    return EXPORTING.has(outMsg.kind) && outMsg.envelope ? carried(block, outMsg.envelope) : NO_MONEY;
  }
}

const EXPORTING = new Set(['new', 'tr', 'tr_req', 'new_defer', 'deferred_tr']);
const REIMPORTED = new Set(['imm', 'deq_imm', 'tr', 'tr_req', 'deferred_tr']);

/** `InMsg.get_import_fees`: the value that the message brings, and the part collected here. */
function importFees(block: ValidatedBlock, { kind, fee, inEnvelope }: InMsg): Imported | null {
  switch (kind) {
    case 'ext':
      return { fees: 0n, value: NO_MONEY };
    case 'imm':
      return { fees: fee, value: NO_MONEY };
    case 'fin':
    case 'tr':
    case 'deferred_fin':
    case 'deferred_tr':
      return { fees: fee, value: carried(block, inEnvelope!) };
    case 'discard_fin':
    case 'discard_tr':
      return { fees: fee, value: grams(fee) };
    default:
      return null;
  }
}

/** The message's value with the fees that travel with it. */
function carried(block: ValidatedBlock, { msg, fwdFeeRemaining }: MsgEnvelope): Money {
  const { info } = messageAt(block, msg);
  if (info.kind !== 'internal') return NO_MONEY;
  return addMoney(info.value, grams(fwdFeeRemaining + (paysIhrFee(block) ? info.ihrFee : 0n)));
}

export function messageAt({ boc }: ValidatedBlock, cell: number): Message {
  return loadWholeCell(boc, cell, 'Message', loadMessage);
}
