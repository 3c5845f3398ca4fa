import type { AccountStateRow } from '../entities/accounts/model.ts';

/** `state` of an answer: an account that does not exist counts as uninitialized. */
export function accountStatusText(status: AccountStateRow['status']): 'active' | 'uninitialized' | 'frozen' {
  return status === 'active' || status === 'frozen' ? status : 'uninitialized';
}
