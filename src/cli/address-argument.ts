import { accountFromText, rawAddress } from '../api/query/account-id.ts';
import { SettingError } from '../platform/config/setting.ts';

/** The raw form of an address that was given as an argument. @throws SettingError */
export function addressArgument(text: string, argument: string): string {
  const account = accountFromText(text);
  if (account) return rawAddress(account);
  throw new SettingError(argument, {
    found: text,
    allowed: 'an address, raw or friendly',
    origin: 'the arguments',
  });
}
