import { CellSlice } from '../../boc/cell-slice.ts';
import type { AccountAddress } from '../../store/store-address.ts';
import type { CompleteData } from '../contract-state.ts';
import { readDictionary } from '../read-accounts.ts';
import { standard } from '../read-fields.ts';
import { type CustodyState, NO_PARTIES, rawText } from './custody-state.ts';

/**
 * Wallet whose coins become free little by little (`get_vesting_data`).
 *
 *     _ seqno:uint32 wallet_id:uint32 public_key:bits256 whitelist:(HashmapE 264 True) schedule:^Schedule = VestingData;
 */
export function readVesting({ boc, data }: CompleteData): CustodyState<'vesting'> {
  const slice = new CellSlice(boc, data);
  slice.skipBits(32 + 32 + 256);
  const whitelist: AccountAddress[] = [];
  readDictionary(boc, slice.maybeRef(), 264, (key) =>
    whitelist.push({ workchain: ((key[0] as number) << 24) >> 24, address: key.slice(1) }),
  );
  const schedule = slice.ref();
  slice.end('VestingData');
  return vesting(new CellSlice(boc, schedule), whitelist);
}

/**
 * The same of the local chain (src/localnet/contracts/vesting.tolk); keys of its whitelist are standard addresses.
 *
 *     _ schedule:^Schedule whitelist:(HashmapE 267 True) = LocalVestingData;
 */
export function readLocalVesting({ boc, data }: CompleteData): CustodyState<'vesting'> {
  const slice = new CellSlice(boc, data);
  const schedule = new CellSlice(boc, slice.ref());
  const whitelist: AccountAddress[] = [];
  readDictionary(boc, slice.maybeRef(), 267, (key) => whitelist.push(accountOfKey(key)));
  slice.end('LocalVestingData');
  return vesting(schedule, whitelist);
}

/** addr_std$10 without anycast: three bits, the workchain, the address, padded to 34 bytes. */
function accountOfKey(key: Uint8Array): AccountAddress {
  const at = (byte: number) => (((key[byte] as number) << 3) | ((key[byte + 1] ?? 0) >> 5)) & 0xff;
  return {
    workchain: (at(0) << 24) >> 24,
    address: Uint8Array.from({ length: 32 }, (_, i) => at(i + 1)),
  };
}

// _ start_time:uint64 total_duration:uint32 unlock_period:uint32 cliff_duration:uint32 total_amount:Coins
//   sender:MsgAddress owner:MsgAddress = Schedule;
function vesting(slice: CellSlice, whitelist: readonly AccountAddress[]): CustodyState<'vesting'> {
  const times = {
    start_time: Number(slice.u64()),
    total_duration: slice.uint(32),
    unlock_period: slice.uint(32),
    cliff_duration: slice.uint(32),
  };
  const amount = slice.coins();
  const [sender, owner] = [standard(slice), standard(slice)];
  return {
    ...NO_PARTIES,
    kind: 'vesting',
    owner,
    members: [
      { role: 'sender', account: sender },
      ...whitelist.map((account) => ({ role: 'whitelisted' as const, account })),
    ],
    details: {
      ...times,
      total_amount: amount.toString(),
      sender_address: rawText(sender),
      owner_address: rawText(owner),
      whitelist: whitelist.map(rawText),
    },
  };
}
