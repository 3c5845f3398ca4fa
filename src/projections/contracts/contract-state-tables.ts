import {
  CONTRACT_KEY_TYPES,
  CONTRACT_KEYS,
  CONTRACT_STATE_TYPES,
  CONTRACT_STATES,
} from '../../tables/contract-states.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import {
  CONTRACT_KINDS,
  type ContractState,
  MEMBER_ROLES,
  type Member,
} from '../../ton/contracts/contract-state.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { type AccountAddress, toAccountName, ZERO_ADDRESS } from '../../ton/store/store-address.ts';
import { isSameAccount } from '../tokens/token-row.ts';
import type { ContractRow } from './contract-row.ts';

/** Accounts by which a contract is found; a name is also found by its domain. */
const PARTIES = ['owner', 'wallet', 'bidder'] as const;
const DOMAIN = 3;
/** Number of the first role of members. */
const MEMBER = 4;
const NO_CODE = new Uint8Array(32);

interface Members {
  readonly members: readonly Member[];
  readonly before: readonly Member[];
}

/** The landing tables of sales, auctions, names, and of what holds coins for several accounts. */
export class ContractStateTables {
  readonly states = new TableBuilder(CONTRACT_STATES.name, CONTRACT_STATE_TYPES);
  readonly keys = new TableBuilder(CONTRACT_KEYS.name, CONTRACT_KEY_TYPES);
  readonly all = [this.states, this.keys] as const;
  readonly #part: number;

  constructor(part: number) {
    this.#part = part;
  }

  /** `before`: its previous state; null if there was none. */
  add(row: ContractRow, before: ContractState | null): void {
    const { col } = this.states;
    const { state } = row;
    col.mc_seqno.push(row.position);
    col.part.push(this.#part);
    col.workchain.push(row.account.workchain);
    col.account.push(row.account.address);
    col.lt.push(row.lt);
    col.kind.push(CONTRACT_KINDS.indexOf(state.kind));
    col.is_gone.push(row.isGone);
    col.code_hash.push(row.code.hash);
    col.code_depth.push(row.code.depth);
    col.data_hash.push(row.dataHash);
    this.#addParties(state);
    col.child_code.push(state.childCode ?? NO_CODE);
    col.domain.push(Buffer.from(state.domain));
    col.details.push(Buffer.from(JSON.stringify(state.details)));
    col.data.push(row.data);
    this.states.endRow();
    if (!row.isGone) this.#addKeys(row, before);
  }

  #addParties({ owner, parent, wallet, bidder }: ContractState): void {
    const { col } = this.states;
    col.has_owner.push(owner !== null);
    col.owner_workchain.push((owner ?? ZERO_ADDRESS).workchain);
    col.owner.push((owner ?? ZERO_ADDRESS).address);
    col.has_parent.push(parent !== null);
    col.parent_workchain.push((parent ?? ZERO_ADDRESS).workchain);
    col.parent.push((parent ?? ZERO_ADDRESS).address);
    col.has_wallet.push(wallet !== null);
    col.wallet_workchain.push((wallet ?? ZERO_ADDRESS).workchain);
    col.wallet.push((wallet ?? ZERO_ADDRESS).address);
    col.has_bidder.push(bidder !== null);
    col.bidder_workchain.push((bidder ?? ZERO_ADDRESS).workchain);
    col.bidder.push((bidder ?? ZERO_ADDRESS).address);
  }

  #addKeys({ position, account, state }: ContractRow, before: ContractState | null): void {
    for (const [role, party] of PARTIES.entries()) {
      const key = state[party];
      if (key && !isSameAccount(key, before?.[party] ?? null)) this.#addKey(position, role, key, account);
    }
    this.#addMembers(position, account, { members: state.members ?? [], before: before?.members ?? [] });
    if (state.domain === '' || state.domain === before?.domain) return;
    const key = { workchain: 0, address: sha256(Buffer.from(state.domain)) };
    this.#addKey(position, DOMAIN, key, account);
  }

  /** Those that were none before; each once in a role. */
  #addMembers(position: number, account: AccountAddress, { members, before }: Members): void {
    const nameIn = ({ role, account: member }: Member) => `${role} ${toAccountName(member)}`;
    const known = new Set(before.map(nameIn));
    for (const member of members) {
      const name = nameIn(member);
      if (!known.has(name))
        this.#addKey(position, MEMBER + MEMBER_ROLES.indexOf(member.role), member.account, account);
      known.add(name);
    }
  }

  #addKey(position: number, role: number, key: AccountAddress, account: AccountAddress): void {
    const { col } = this.keys;
    col.mc_seqno.push(position);
    col.part.push(this.#part);
    col.role.push(role);
    col.key_workchain.push(key.workchain);
    col.key.push(key.address);
    col.workchain.push(account.workchain);
    col.account.push(account.address);
    this.keys.endRow();
  }
}
